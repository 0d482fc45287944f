import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { admission } from './admission.ts';
import { type AwsCredentials, LOCAL_CREDENTIALS } from './awsCredentials.ts';
import type { Engine } from './engine.ts';
import { listenOnFreePort } from './freePort.ts';

/** An error response. `name` is the exception name that AWS uses. */
export class AwsError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** The response format of a service. */
export interface WireFormat {
  readonly contentType: string;
  /** Exception names for a body that is not JSON, a body that fails validation, and an internal error. */
  readonly errorNames: { readonly unreadable: string; readonly invalid: string; readonly internal: string };
}

/** Parses the body of a request. Throws a `SyntaxError` if it is not JSON. */
export const jsonOf = async (request: IncomingMessage): Promise<unknown> =>
  JSON.parse((await buffer(request)).toString());

/**
 * Serves an AWS service on its own port, for requests with these credentials. `perform` returns the response body, or throws the
 * error to send.
 */
export async function serveAws(
  format: WireFormat,
  perform: (request: IncomingMessage) => Promise<object>,
  credentials: AwsCredentials = LOCAL_CREDENTIALS,
): Promise<Engine> {
  const admit = admission(credentials);
  const server = createServer(async (request, response) => {
    const refusal = admit({ url: request.url ?? '', headers: request.headers });
    if (refusal !== null) {
      response.setHeader('x-amzn-errortype', refusal.code);
      writeResponse(response, 403, format, { __type: refusal.code, message: refusal.message });
      return;
    }
    try {
      writeResponse(response, 200, format, await perform(request));
    } catch (error) {
      const { name, message } = asAwsError(error, format);
      response.setHeader('x-amzn-errortype', name);
      const status = name === format.errorNames.internal ? 500 : 400;
      writeResponse(response, status, format, { __type: name, message });
    }
  });
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function asAwsError(error: unknown, { errorNames }: WireFormat): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof z.ZodError) return new AwsError(errorNames.invalid, z.prettifyError(error));
  if (error instanceof SyntaxError) return new AwsError(errorNames.unreadable, 'The body is not JSON');
  return new AwsError(errorNames.internal, String(error));
}

function writeResponse(
  response: ServerResponse,
  status: number,
  { contentType }: WireFormat,
  body: object,
): void {
  response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(body));
}
