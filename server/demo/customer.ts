/** The only demo account that can sign in. */
export const DEMO_CUSTOMER = { email: 'demo@piazza.example', password: 'Piazza-2025!' }
