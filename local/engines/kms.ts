import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import type { Engine } from './engine.ts';
import { portOf } from './freePort.ts';
import type { KeyLookup } from './keyStore.ts';
import { KMS_OPERATIONS, KmsError } from './kmsOperations.ts';

const TARGET_PREFIX = 'TrentService.';

/** Serves the keys over the JSON protocol of KMS on a port of its own. */
export async function startKms(lookup: KeyLookup): Promise<Engine> {
  const server = createServer(async (request, response) => {
    try {
      answer(response, 200, await perform(request, lookup));
    } catch (error) {
      const { name, message } = asKmsError(error);
      answer(response, name === 'KMSInternalException' ? 500 : 400, { __type: name, message });
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

async function perform(request: IncomingMessage, lookup: KeyLookup): Promise<object> {
  const name = String(request.headers['x-amz-target'] ?? '').replace(TARGET_PREFIX, '');
  const operation = KMS_OPERATIONS[name];
  if (!operation) throw new KmsError('UnknownOperationException', `${name} is not available locally`);
  return operation(JSON.parse((await buffer(request)).toString()), lookup);
}

function asKmsError(error: unknown): KmsError {
  if (error instanceof KmsError) return error;
  if (error instanceof z.ZodError) return new KmsError('ValidationException', z.prettifyError(error));
  if (error instanceof SyntaxError) return new KmsError('SerializationException', 'The body is not JSON');
  return new KmsError('KMSInternalException', String(error));
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
