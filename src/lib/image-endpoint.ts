/** Replaces Astro's image endpoint with a 404: `server/media` serves all pictures. */
export const GET = () => new Response('There is nothing at this address', { status: 404 })
