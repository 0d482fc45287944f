import { createServer, type IncomingMessage } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { portOf } from '../../../../local/engines/freePort.ts';

/** The deviations of the provider in one response. */
export interface ProviderFaults {
  /** Members of the ID token; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with an unpublished key. */
  readonly foreignKey?: boolean;
  /** Changes the signed ID token. */
  readonly rewritten?: (token: string) => string;
  /** Members of the token response. */
  readonly response?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /** Never responds to the token request. */
  readonly silent?: boolean;
  /** Members of the discovery document. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

/** A fake provider, because no real one sends the responses that must be refused. */
export const startHostileProvider = async (clientId: string) => {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  let malice: ProviderFaults = {};
  let nonce = '';
  const tokenRequests: URLSearchParams[] = [];

  const idToken = async (): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000);
    const claims: JWTPayload = {
      iss: issuer(),
      aud: clientId,
      sub: 'subject-1',
      email: 'ada@example.org',
      email_verified: true,
      auth_time: now - 5,
      nonce,
      iat: now,
      exp: now + 300,
      ...malice.claims,
    };
    const signed = await new SignJWT(JSON.parse(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(malice.foreignKey ? foreign.privateKey : own.privateKey);
    return malice.rewritten?.(signed) ?? signed;
  };

  const answer = async (path: string, body: string): Promise<unknown> => {
    if (path === '/jwks') return { keys: [jwk] };
    if (path === '/token') {
      tokenRequests.push(new URLSearchParams(body));
      const tokens = { access_token: 'a', token_type: 'Bearer', id_token: await idToken() };
      return { ...tokens, ...malice.response };
    }
    return {
      issuer: issuer(),
      authorization_endpoint: `${issuer()}/auth`,
      token_endpoint: `${issuer()}/token`,
      jwks_uri: `${issuer()}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      ...malice.metadata,
    };
  };

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (malice.silent && path === '/token') return;
    const status = path === '/token' ? (malice.status ?? 200) : 200;
    const body = JSON.stringify(await answer(path, await textOf(request)));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = () => `http://127.0.0.1:${portOf(server)}`;
  return {
    issuer: issuer(),
    /** The token requests received. */
    tokenRequests,
    /** Sets the deviations of the next responses, for a sign-in with this nonce. */
    behave: (toNonce: string, how: ProviderFaults = {}) => {
      nonce = toNonce;
      malice = how;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
