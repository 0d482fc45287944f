import { serveAwsJson } from '../awsJson.ts';
import type { Engine } from '../engine.ts';
import type { KeyLookup } from './keyStore.ts';
import { kmsOperations } from './kmsOperations.ts';

/** Serves the keys as KMS does, on a port of its own. */
export const startKms = (lookup: KeyLookup): Promise<Engine> =>
  serveAwsJson(kmsOperations(lookup), { version: '1.1', internalErrorName: 'KMSInternalException' });
