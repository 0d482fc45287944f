/** The announcement that a route will be removed. */
export interface Deprecation {
  /** The day of the announcement, as in `2027-01-31`. */
  readonly since: string;
  /** The day after which the route can be absent. At least {@link DEPRECATION_MONTHS} months after `since`. */
  readonly sunset?: string;
  /** The migration guide. */
  readonly link: string;
}

/** A deprecated route keeps working for at least this long. */
export const DEPRECATION_MONTHS = 12;

const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** The reason why a deprecation breaks the promise to clients, or undefined. */
export const deprecationFault = ({ since, sunset }: Deprecation): string | undefined => {
  if (Number.isNaN(startOf(since).getTime())) return `${since} is no day`;
  if (sunset === undefined) return undefined;
  const earliest = startOf(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + DEPRECATION_MONTHS);
  return startOf(sunset) >= earliest ? undefined : `must keep working for ${DEPRECATION_MONTHS} months`;
};

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
