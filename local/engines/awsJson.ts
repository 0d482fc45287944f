import { AwsError, jsonOf, serveAws } from './awsService.ts';
import type { Engine } from './engine.ts';

/** What a service can do, by the name each operation has on the wire. */
export type Operations = Readonly<Record<string, (body: unknown) => object>>;

/** The version of the protocol that a service speaks, and what it calls a fault of its own. */
export interface AwsJsonProtocol {
  readonly version: '1.0' | '1.1';
  readonly internalErrorName: string;
}

/** Serves operations over the AWS JSON protocol. */
export const serveAwsJson = (
  operations: Operations,
  { version, internalErrorName }: AwsJsonProtocol,
): Promise<Engine> =>
  serveAws(
    {
      contentType: `application/x-amz-json-${version}`,
      errorNames: {
        unreadable: 'SerializationException',
        invalid: 'ValidationException',
        internal: internalErrorName,
      },
    },
    async (request) => {
      const name = String(request.headers['x-amz-target'] ?? '').replace(/^.*\./, '');
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (!operation) throw new AwsError('UnknownOperationException', `${name} is not available locally`);
      return operation(await jsonOf(request));
    },
  );
