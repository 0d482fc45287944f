/**
 * Signs a user in with the authorization code flow and PKCE, and reads one record with the user's token.
 * Environment: CLIENT_ID and CLIENT_SECRET (required), BASE_URL (default http://127.0.0.1:3000).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as client from 'openid-client';

const { BASE_URL = 'http://127.0.0.1:3000', CLIENT_ID, CLIENT_SECRET } = process.env;
if (CLIENT_ID === undefined || CLIENT_SECRET === undefined) {
  console.error('Set CLIENT_ID and CLIENT_SECRET to the values that the registration returned.');
  process.exit(1);
}
/** Must be one of the client's redirect_uris, character by character. */
const REDIRECT_URI = 'http://127.0.0.1:8976/callback';

const server = await client.discovery(new URL(BASE_URL), CLIENT_ID, CLIENT_SECRET, undefined, {
  algorithm: 'oauth2',
  // Plain HTTP is for a service on this machine only.
  execute: BASE_URL.startsWith('http:') ? [client.allowInsecureRequests] : [],
});

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const signInUrl = client.buildAuthorizationUrl(server, {
  redirect_uri: REDIRECT_URI,
  scope: 'read:attribution read:reporting',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});

const callback = createServer().listen(8976, '127.0.0.1');
console.log(`Open this address in a browser and sign in:\n\n  ${signInUrl.href}\n`);
for (;;) {
  const [request, response] = await once(callback, 'request');
  const url = new URL(request.url, REDIRECT_URI);
  // Browsers also ask for /favicon.ico.
  if (url.pathname !== '/callback') {
    response.writeHead(404).end();
    continue;
  }
  response.end('Signed in. You can close this page.');
  const tokens = await client.authorizationCodeGrant(server, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  console.log(`Signed in with the scopes: ${tokens.scope}`);
  const records = await fetch(new URL('/v1/attribution?limit=1', BASE_URL), {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  console.log(await records.text());
  callback.close();
  callback.closeAllConnections();
  break;
}
