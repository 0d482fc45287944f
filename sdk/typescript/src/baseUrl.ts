import { ConfigurationError } from './errors.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether nobody on the way can read a credential that is sent to this URL. */
export const isConfidential = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.has(hostname);

/**
 * The base URL without a slash at its end. It may be relative in a browser, whose page then has the credential already.
 * Throws ConfigurationError if the credential would be readable on the way.
 */
export const baseUrlOf = (text: string): string => {
  if (URL.canParse(text) && !isConfidential(new URL(text))) {
    throw new ConfigurationError(`The base URL must use https: ${text}. http is only for this machine.`);
  }
  return text.replace(/\/$/, '');
};
