import { parseQueryString } from '../../../platform/http/queryString.ts';
import { nearestName } from '../../../platform/shared/nearestName.ts';

/** The query parameters of a request that passes through a browser. */
export interface Parameters {
  /** Undefined if the parameter is missing, empty (RFC 6749 §3.1), repeated or undecodable. */
  readonly get: (name: string) => string | undefined;
  /** The sent name that is probably a misspelling of a parameter that is missing. */
  readonly misspeltName: (missing: string) => string | undefined;
  /** Names sent more than once. Parsers disagree on which one counts, so none is used. */
  readonly repeated: ReadonlySet<string>;
  /** Whether a parameter is not percent-encoded UTF-8. */
  readonly isUndecodable: boolean;
}

export const readParameters = (rawQuery: string): Parameters => {
  const { values, undecodable } = parseQueryString(rawQuery);
  const repeated = new Set([...values].flatMap(([name, sent]) => (sent.length > 1 ? [name] : [])));
  return {
    get: (name) => (repeated.has(name) ? undefined : values.get(name)?.[0] || undefined),
    misspeltName: (missing) => (values.has(missing) ? undefined : nearestName(missing, [...values.keys()])),
    repeated,
    isUndecodable: undecodable.length > 0,
  };
};
