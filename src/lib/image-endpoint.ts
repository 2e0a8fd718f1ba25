/** Astro would make pictures at an address of its own; here `server/media` makes them all, and nothing is at that address. */
export const GET = () => new Response('There is nothing at this address', { status: 404 })
