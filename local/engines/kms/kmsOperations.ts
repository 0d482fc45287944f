import { createHmac, createPublicKey, sign } from 'node:crypto';
import * as z from 'zod';
import { usageOf } from '../../template/keys.ts';
import { ACCOUNT } from '../../template/names.ts';
import type { Operations } from '../awsJson.ts';
import { AwsError } from '../awsService.ts';
import { decrypt, encrypt, InvalidCiphertextError } from './ciphertext.ts';
import type { KeyLookup, StoredKey } from './keyStore.ts';

const Blob = z.base64().transform((text) => Buffer.from(text, 'base64'));
// KMS signs or authenticates at most 4096 bytes.
const Message = Blob.refine(
  (bytes) => bytes.length >= 1 && bytes.length <= 4096,
  'must hold 1 to 4096 bytes',
);

const KeyRequest = z.object({ KeyId: z.string() });
const SignRequest = KeyRequest.extend({
  SigningAlgorithm: z.literal('ECDSA_SHA_256'),
  MessageType: z.literal('RAW', 'must be RAW: the local engine does not sign digests').default('RAW'),
  Message,
});
const MacRequest = KeyRequest.extend({ MacAlgorithm: z.literal('HMAC_SHA_256'), Message });

const Context = z.record(z.string(), z.string()).default({});
// KMS names a key by its ciphertext too. The local engine requires the key, as every caller of this project names it.
const EncryptRequest = KeyRequest.extend({ Plaintext: Message, EncryptionContext: Context });
const DecryptRequest = KeyRequest.extend({ CiphertextBlob: Blob, EncryptionContext: Context });

const SPEC = {
  ECC_NIST_P256: { KeyUsage: usageOf.ECC_NIST_P256, SigningAlgorithms: ['ECDSA_SHA_256'] },
  HMAC_256: { KeyUsage: usageOf.HMAC_256, MacAlgorithms: ['HMAC_SHA_256'] },
  SYMMETRIC_DEFAULT: {
    KeyUsage: usageOf.SYMMETRIC_DEFAULT,
    EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'],
  },
};

function keyFor(lookup: KeyLookup, keyId: string, spec?: StoredKey['spec']): StoredKey {
  const key = lookup(keyId);
  if (!key) throw new AwsError('NotFoundException', `Key '${keyId}' does not exist`);
  if (spec && key.spec !== spec) {
    throw new AwsError(
      'InvalidKeyUsageException',
      `${key.arn} key usage is ${SPEC[key.spec].KeyUsage} which is not valid for this operation.`,
    );
  }
  return key;
}

/** The supported KMS operations, by their name in the wire protocol. */
export const kmsOperations = (lookup: KeyLookup): Operations => ({
  Sign(body) {
    const { KeyId, SigningAlgorithm, Message: message } = SignRequest.parse(body);
    const key = keyFor(lookup, KeyId, 'ECC_NIST_P256');
    const signature = sign('sha256', message, key.material);
    return { KeyId: key.arn, Signature: signature.toString('base64'), SigningAlgorithm };
  },
  GetPublicKey(body) {
    const key = keyFor(lookup, KeyRequest.parse(body).KeyId, 'ECC_NIST_P256');
    const der = createPublicKey(key.material).export({ type: 'spki', format: 'der' });
    return {
      KeyId: key.arn,
      PublicKey: der.toString('base64'),
      KeySpec: key.spec,
      CustomerMasterKeySpec: key.spec,
      ...SPEC.ECC_NIST_P256,
    };
  },
  GenerateMac(body) {
    const { KeyId, MacAlgorithm, Message: message } = MacRequest.parse(body);
    const key = keyFor(lookup, KeyId, 'HMAC_256');
    return {
      KeyId: key.arn,
      Mac: createHmac('sha256', key.material).update(message).digest('base64'),
      MacAlgorithm,
    };
  },
  Encrypt(body) {
    const { KeyId, Plaintext, EncryptionContext } = EncryptRequest.parse(body);
    const key = keyFor(lookup, KeyId, 'SYMMETRIC_DEFAULT');
    return {
      KeyId: key.arn,
      CiphertextBlob: encrypt(Plaintext, EncryptionContext, key.material).toString('base64'),
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    };
  },
  Decrypt(body) {
    const { KeyId, CiphertextBlob, EncryptionContext } = DecryptRequest.parse(body);
    const key = keyFor(lookup, KeyId, 'SYMMETRIC_DEFAULT');
    try {
      return {
        KeyId: key.arn,
        Plaintext: decrypt(CiphertextBlob, EncryptionContext, key.material).toString('base64'),
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
      };
    } catch (error) {
      if (error instanceof InvalidCiphertextError) throw new AwsError('InvalidCiphertextException', '');
      throw error;
    }
  },
  DescribeKey(body) {
    const key = keyFor(lookup, KeyRequest.parse(body).KeyId);
    return {
      KeyMetadata: {
        AWSAccountId: ACCOUNT,
        Arn: key.arn,
        KeyId: key.id,
        Enabled: true,
        KeyState: 'Enabled',
        KeyManager: 'CUSTOMER',
        Origin: 'AWS_KMS',
        KeySpec: key.spec,
        ...SPEC[key.spec],
      },
    };
  },
});
