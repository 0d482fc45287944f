import { ConnectionError } from '../../../sdk/typescript/src/errors.ts';

/** The session as `/console/session` reports it. Its cookie is not readable for scripts. */
export interface SessionReply {
  readonly access_token: string | null;
  readonly expires_at: string | null;
  readonly session_expires_at: string;
  readonly user: { readonly id: string | null; readonly email: string; readonly role: string | null };
  readonly tenant: { readonly id: string; readonly name: string; readonly sandbox: boolean } | null;
  readonly tenants: readonly { readonly id: string; readonly name: string }[];
  readonly scopes: readonly string[];
}

const PATH = '/console/session';
/** Where the identity provider returns to after a sign-out. */
export const SIGNED_OUT_PATH = '/console/signed-out';

const request = async (method: string, body?: object): Promise<Response> => {
  try {
    return await fetch(PATH, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch (cause) {
    throw new ConnectionError(1, cause);
  }
};

const expectOk = (response: Response): Response => {
  if (!response.ok) throw new Error(`The session could not be read (HTTP status ${response.status})`);
  return response;
};

/** Null if nobody is signed in, or the session has ended. */
export const readSession = async (): Promise<SessionReply | null> => {
  const response = await request('GET');
  return [204, 401].includes(response.status) ? null : expectOk(response).json();
};

export const chooseTenant = async (tenantId: string): Promise<SessionReply> =>
  expectOk(await request('PUT', { tenant_id: tenantId })).json();

/** Ends the session here. Returns the address to open, where the identity provider ends its own. */
export const endSession = async (): Promise<string> => {
  const { sign_out_url: signOutUrl } = await expectOk(await request('DELETE')).json();
  return signOutUrl ?? SIGNED_OUT_PATH;
};

/** Leaves the page to sign in and returns to it. With `maximumAge`, an older sign-in is not enough. */
export const beginSession = (maximumAge?: number): void => {
  const parameters = new URLSearchParams(location.search);
  parameters.delete('sign_in_error');
  const search = parameters.toString();
  const path = location.pathname === SIGNED_OUT_PATH ? '/console' : location.pathname;
  const query = new URLSearchParams({ return_to: `${path}${search && `?${search}`}` });
  if (maximumAge !== undefined) query.set('max_age', String(maximumAge));
  location.assign(`${PATH}/sign-in?${query}`);
};
