import { ConfigurationError } from './errors.ts';

/** Whether nobody on the way can read a credential that is sent to this URL. */
export const isConfidential = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(localhost|127\.0\.0\.1|\[::1])$/.test(hostname);

/**
 * The base URL without a slash at its end. It may be relative in a browser, whose page then has the credential already.
 * Throws ConfigurationError if the credential would be readable on the way, and TypeError for a URL that is none.
 */
export const baseUrlOf = (text: string): string => {
  if (!isConfidential(new URL(text, 'https://localhost')))
    throw new ConfigurationError(`The credential needs https or localhost, not ${text}`);
  return text.replace(/\/$/, '');
};
