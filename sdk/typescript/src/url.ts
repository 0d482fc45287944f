import { ConfigurationError } from './errors.ts';

/** Whether nobody on the way can read a credential that is sent to this URL. */
const isConfidential = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));

/**
 * The base URL in one spelling, without a slash at its end. It may be a path in a browser, whose page then has the credential
 * already. Throws ConfigurationError if the credential would be readable on the way, and for what is no base URL.
 */
export const baseUrlOf = (text: string): string => {
  // With two slashes it names another host.
  const isPath = /^(\/(?![/\\])|$)/.test(text);
  const url = isPath || URL.canParse(text) ? new URL(text, 'https://localhost') : null;
  if (url === null || !isConfidential(url) || url.username || url.search || url.hash)
    throw new ConfigurationError(
      `The base URL must be https, or http to this machine, without a user, query or fragment: ${String(text).replace(/\/.*@/, '/…@')}`,
    );
  return (isPath ? text : url.origin + url.pathname).replace(/\/+$/, '');
};

/** A single text that the service would cut at commas, or read as JSON. */
const IS_CUT = /^\[|,/;

/**
 * A list repeats its parameter. The service knows which parameters are lists, and refuses a list for any other. A list of one
 * value that is not read as it stands is a JSON array. An empty list is sent as an empty value, which is refused too: without
 * the filter, the answer would be about everything.
 */
const textsOf = (value: unknown): string[] => {
  if (!Array.isArray(value)) return [String(value)];
  const texts = value.map((item) => String(item ?? ''));
  const [only = ''] = texts;
  if (texts.length > 1) return texts;
  return [IS_CUT.test(only) ? JSON.stringify(texts) : only];
};

/** A parameter that is null or undefined is not sent. Throws ConfigurationError. */
export const urlOf = (baseUrl: string, path: string, query: object = {}): string => {
  // A URL drops these segments, so the request would go to another operation.
  if (/\/(\.{0,2})(\/|$)/.test(path))
    throw new ConfigurationError(`An id must not be empty, . or .. : ${path}`);
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null)
      for (const text of textsOf(value)) parameters.append(name, text);
  const search = parameters.toString();
  return `${baseUrl}${path}${search && `?${search}`}`;
};
