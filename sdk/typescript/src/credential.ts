import { ConfigurationError } from './errors.ts';

/** How the client authenticates. Of parallel calls, one gets a new token and the others wait for it. */
export type Credential =
  | { readonly apiKey: string }
  /** A token, or a function that gets one. The function is called again when the service refuses the token as expired or revoked. */
  | { readonly token: string | (() => Promise<string>) }
  | { readonly clientId: string; readonly clientSecret: string; readonly scope?: string }
  /** No credential, for the OAuth endpoints and public documents. */
  | { readonly anonymous: true };

/** Gets a token, and the seconds for which it is valid. */
export type IssueToken = () => Promise<{ readonly access_token: string; readonly expires_in: number }>;

export interface Authentication {
  /** The header of a request. Empty without a credential. */
  readonly header: () => Promise<readonly [name: string, value: string] | readonly []>;
  /** Forgets a token that the service refused. False if there is no other one. */
  readonly renew: (refused: string) => boolean;
}

/** A token is renewed this long before its end, so that it is still valid when the request arrives. */
const RENEWAL_SECONDS = 30;

const renewed = (issue: IssueToken, now: () => number): Authentication => {
  let current: { readonly value: string; readonly until: number } | undefined;
  let pending: Promise<string> | undefined;
  const get = async (): Promise<string> => {
    const { access_token, expires_in } = await issue();
    const value = `Bearer ${access_token}`;
    current = { value, until: now() + (expires_in - RENEWAL_SECONDS) * 1_000 };
    return value;
  };
  return {
    header: async () => {
      if (current !== undefined && now() < current.until) return ['authorization', current.value];
      pending ??= get().finally(() => {
        pending = undefined;
      });
      return ['authorization', await pending];
    },
    renew: (refused) => {
      // Another call may have renewed it already.
      if (current?.value === refused) current = undefined;
      return true;
    },
  };
};

const fixed = (name: string, value: string): Authentication => ({
  header: async () => [name, value],
  renew: () => false,
});

/**
 * A value without the line break of the file that it comes from. Throws for one that is missing, empty, as of an environment
 * variable that is not set, or that no header can hold. The error does not contain it.
 */
const textOf = (name: string, value: unknown): string => {
  const text = typeof value === 'string' ? value.trim() : '';
  if (/^[!-~]+$/.test(text)) return text;
  throw new ConfigurationError(
    `The ${name} of the credential is empty, or has other characters than visible ASCII.`,
  );
};

/** `issue` gets a token with the credentials of an OAuth client. Throws a ConfigurationError for an empty credential. */
export const authentication = (
  credential: Credential,
  issue: (clientId: string, clientSecret: string, scope?: string) => ReturnType<IssueToken>,
  now: () => number,
): Authentication => {
  if ('anonymous' in credential) return { header: async () => [], renew: () => false };
  if ('apiKey' in credential) return fixed('x-api-key', textOf('apiKey', credential.apiKey));
  if ('clientId' in credential) {
    const id = textOf('clientId', credential.clientId);
    const secret = textOf('clientSecret', credential.clientSecret);
    return renewed(() => issue(id, secret, credential.scope), now);
  }
  const { token } = credential;
  if (typeof token !== 'function') return fixed('authorization', `Bearer ${textOf('token', token)}`);
  return renewed(
    async () => ({ access_token: textOf('token', await token()), expires_in: Number.POSITIVE_INFINITY }),
    now,
  );
};
