import type { AwsCredentials } from './awsCredentials.ts';
import { AwsError, jsonOf, serveAws } from './awsService.ts';
import type { Engine } from './engine.ts';

/** The operations of a service, by their name in the wire protocol. */
export type Operations = Readonly<Record<string, (body: unknown) => object | Promise<object>>>;

/** The protocol version of a service, and its name for an internal error. */
export interface AwsJsonProtocol {
  readonly version: '1.0' | '1.1';
  readonly internalErrorName: string;
}

/** Serves operations over the AWS JSON protocol. */
export const serveAwsJson = (
  operations: Operations,
  { version, internalErrorName }: AwsJsonProtocol,
  credentials?: AwsCredentials,
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
      if (!operation)
        throw new AwsError('UnknownOperationException', `The local engine does not support ${name}`);
      return operation(await jsonOf(request));
    },
    credentials,
  );
