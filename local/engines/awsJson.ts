import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import type { Engine } from './engine.ts';
import { portOf } from './freePort.ts';

/** A refusal with the exception name the service would answer. */
export class AwsError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** What a service can do, by the name each operation has on the wire. */
export type Operations = Readonly<Record<string, (body: unknown) => object>>;

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const INTERNAL = 'InternalFailure';

/** Serves operations over the AWS JSON protocol, version 1.0, on a port of its own. */
export async function serveAwsJson(operations: Operations): Promise<Engine> {
  const server = createServer(async (request, response) => {
    try {
      answer(response, 200, await perform(request, operations));
    } catch (error) {
      const { name, message } = asAwsError(error);
      answer(response, name === INTERNAL ? 500 : 400, { __type: name, message });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function perform(request: IncomingMessage, operations: Operations): Promise<object> {
  const name = String(request.headers['x-amz-target'] ?? '').replace(/^.*\./, '');
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) throw new AwsError('UnknownOperationException', `${name} is not available locally`);
  return operation(JSON.parse((await buffer(request)).toString()));
}

function asAwsError(error: unknown): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof z.ZodError) return new AwsError('ValidationException', z.prettifyError(error));
  if (error instanceof SyntaxError) return new AwsError('SerializationException', 'The body is not JSON');
  return new AwsError(INTERNAL, String(error));
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': CONTENT_TYPE }).end(JSON.stringify(body));
}
