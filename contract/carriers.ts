interface Carrier {
  /** The name that customers see. */
  name: string
  /** URL of the tracking page without the tracking number, which is appended. */
  trackingPage: `https://${string}`
}

/** Carriers with a tracking page. Other carriers are shown without a link. */
const CARRIERS: readonly Carrier[] = [
  { name: 'Aramex', trackingPage: 'https://www.aramex.com/us/en/track/results?ShipmentNumber=' },
  { name: 'Australia Post', trackingPage: 'https://auspost.com.au/mypost/track/details/' },
  { name: 'Canada Post', trackingPage: 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=' },
  { name: 'Colissimo', trackingPage: 'https://www.laposte.fr/outils/suivre-vos-envois?code=' },
  { name: 'DHL', trackingPage: 'https://www.dhl.com/global-en/home/tracking.html?submit=1&tracking-id=' },
  { name: 'DPD', trackingPage: 'https://tracking.dpd.de/status/en_US/parcel/' },
  { name: 'FedEx', trackingPage: 'https://www.fedex.com/fedextrack/?trknbr=' },
  { name: 'GLS', trackingPage: 'https://gls-group.com/GROUP/en/parcel-tracking?match=' },
  { name: 'Royal Mail', trackingPage: 'https://www.royalmail.com/track-your-item#/tracking-results/' },
  { name: 'UPS', trackingPage: 'https://www.ups.com/track?tracknum=' },
  { name: 'USPS', trackingPage: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=' },
]

/** The usual spelling of a carrier's name; an unknown name is returned unchanged. */
export function carrierName(given: string): string {
  return findCarrier(given)?.name ?? given
}

/** URL of the tracking page of a parcel; undefined for carriers without one. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | undefined {
  const page = carrier === null ? undefined : findCarrier(carrier)?.trackingPage
  return page && trackingNumber ? page + encodeURIComponent(trackingNumber) : undefined
}

function findCarrier(given: string): Carrier | undefined {
  const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')
  return CARRIERS.find(({ name }) => lettersOf(name) === lettersOf(given))
}
