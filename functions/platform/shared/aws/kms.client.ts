import { KMSClient } from '@aws-sdk/client-kms';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';

export const kms = new KMSClient({ requestHandler, maxAttempts: 3 });
publishCalls(kms.middlewareStack, 'kms');

export {
  DecryptCommand,
  EncryptCommand,
  GenerateMacCommand,
  GetPublicKeyCommand,
  InvalidCiphertextException,
  SignCommand,
} from '@aws-sdk/client-kms';
