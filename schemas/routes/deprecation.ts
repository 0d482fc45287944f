/** The announcement that a route will be removed. */
export interface Deprecation {
  /** The day of the announcement, as in `2027-01-31`. */
  readonly since: string;
  /** The day after which the route can be absent. At least twelve months after `since`. */
  readonly sunset?: string;
  /** The migration guide. */
  readonly link: string;
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** The response headers of a deprecated route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`. */
export const deprecationHeaders = ({
  since,
  sunset,
  link,
}: Deprecation): Readonly<Record<string, string>> => ({
  deprecation: `@${startOf(since).getTime() / 1_000}`,
  ...(sunset !== undefined && { sunset: startOf(sunset).toUTCString() }),
  link: `<${link}>; rel="deprecation"; type="text/html"`,
});
