import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { CommandFailed } from './faults.ts';

/** An authorization response with a code, and the verifier that belongs to it (RFC 7636). */
export interface Authorization {
  readonly code: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
}

export interface SignInRequest {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly clientId: string;
  /** Space-separated. */
  readonly scope: string | undefined;
  /** The registered port: the service compares redirect URIs character by character. */
  readonly port: number;
}

const random = (): string => randomBytes(32).toString('base64url');

const PAGE = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
};

/**
 * Waits on the loopback interface for the redirect of a browser (RFC 8252). `onReady` gets the address that the user must
 * open. Responses to another request, or of another issuer (RFC 9207), are refused and do not end the waiting.
 */
export const authorizeInBrowser = (
  { issuer, authorizationEndpoint, clientId, scope, port }: SignInRequest,
  onReady: (url: string) => void,
  signal: AbortSignal,
): Promise<Authorization> =>
  new Promise((resolve, reject) => {
    const [state, verifier] = [random(), random()];
    const redirect_uri = `http://127.0.0.1:${port}/callback`;
    const server = createServer((request, response) => {
      const target = request.url ?? '/';
      const url = URL.canParse(target, redirect_uri) ? new URL(target, redirect_uri) : null;
      const given = (name: string): string | null => url?.searchParams.get(name) ?? null;
      if (url?.pathname !== '/callback' || given('state') !== state || given('iss') !== issuer) {
        response.writeHead(404, PAGE).end('This is not the response to the sign-in of the command line.');
        return;
      }
      const [code, error] = [given('code'), given('error')];
      response.writeHead(200, PAGE);
      // Ends after the response is sent: browsers keep further connections open.
      response.end(
        code === null ? 'The sign-in failed. See the terminal.' : 'Signed in. You can close this page.',
        end,
      );
      if (code !== null) resolve({ code, code_verifier: verifier, redirect_uri });
      else
        reject(new CommandFailed(`The sign-in failed: ${given('error_description') ?? error ?? 'no code'}`));
    });
    const abort = (): void => {
      end();
      reject(signal.reason);
    };
    const end = (): void => {
      signal.removeEventListener('abort', abort);
      server.close();
      server.closeAllConnections();
    };
    signal.addEventListener('abort', abort, { once: true });
    server.on('error', (error) => {
      end();
      reject(new CommandFailed(`Port ${port} cannot be used: ${error.message}`));
    });
    server.listen(port, '127.0.0.1', () => {
      const url = new URL(authorizationEndpoint);
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(scope !== undefined && { scope }),
      }).toString();
      onReady(url.href);
    });
  });
