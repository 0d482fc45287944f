/** A query string as it was sent. API Gateway joins the values of a repeated parameter, so its own map is not used. */
export interface QueryString {
  /** The decoded values of each parameter, in the order in which they were sent. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Parameters whose value is not percent-encoded UTF-8. Undefined: a name that is not. */
  readonly undecodable: readonly (string | undefined)[];
}

/** RFC 3986 §2: all other characters are percent-encoded. */
const ENCODED = /^[\x21-\x7e]*$/;

/** The text; undefined if it is not percent-encoded UTF-8. A plus is a space, as HTML forms send it. */
const decode = (text: string): string | undefined => {
  if (!ENCODED.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

export const parseQueryString = (raw: string): QueryString => {
  const values = new Map<string, string[]>();
  const undecodable: (string | undefined)[] = [];
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const [encodedName = '', ...rest] = pair.split('=');
    const name = decode(encodedName);
    const value = decode(rest.join('='));
    if (name === undefined || value === undefined) {
      undecodable.push(name);
      continue;
    }
    const sent = values.get(name) ?? [];
    sent.push(value);
    values.set(name, sent);
  }
  return { values, undecodable };
};
