import type { AwsCredentials } from '../awsCredentials.ts';
import { serveAwsJson } from '../awsJson.ts';
import type { Engine } from '../engine.ts';
import type { KeyLookup } from './keyStore.ts';
import { kmsOperations } from './kmsOperations.ts';

/** Serves the KMS API for these keys on its own port. */
export const startKms = (lookup: KeyLookup, credentials?: AwsCredentials): Promise<Engine> =>
  serveAwsJson(
    kmsOperations(lookup),
    { version: '1.1', internalErrorName: 'KMSInternalException' },
    credentials,
  );
