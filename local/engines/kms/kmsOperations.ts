import { createHmac, createPublicKey, sign, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT } from '../../template/names.ts';
import type { Operations } from '../awsJson.ts';
import { AwsError } from '../awsService.ts';
import { signDigest } from './ecdsa.ts';
import type { KeyLookup, StoredKey } from './keyStore.ts';

const Blob = z.base64().transform((text) => Buffer.from(text, 'base64'));
// KMS signs or authenticates at most 4096 bytes.
const Message = Blob.refine(
  (bytes) => bytes.length >= 1 && bytes.length <= 4096,
  'must hold 1 to 4096 bytes',
);
const Digest = Blob.refine((bytes) => bytes.length === 32, 'must be a SHA-256 digest of 32 bytes');

const KeyRequest = z.object({ KeyId: z.string() });
const SignRequest = z.union([
  KeyRequest.extend({
    SigningAlgorithm: z.literal('ECDSA_SHA_256'),
    MessageType: z.literal('RAW').default('RAW'),
    Message,
  }),
  KeyRequest.extend({
    SigningAlgorithm: z.literal('ECDSA_SHA_256'),
    MessageType: z.literal('DIGEST'),
    Message: Digest,
  }),
]);
const MacRequest = KeyRequest.extend({ MacAlgorithm: z.literal('HMAC_SHA_256'), Message });
const VerifyMacRequest = MacRequest.extend({ Mac: Blob });

const SPEC = {
  ECC_NIST_P256: { KeyUsage: 'SIGN_VERIFY', SigningAlgorithms: ['ECDSA_SHA_256'] },
  HMAC_256: { KeyUsage: 'GENERATE_VERIFY_MAC', MacAlgorithms: ['HMAC_SHA_256'] },
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

const macOf = (key: StoredKey, message: Buffer): Buffer =>
  createHmac('sha256', key.material).update(message).digest();

/** The supported KMS operations, by their name in the wire protocol. */
export const kmsOperations = (lookup: KeyLookup): Operations => ({
  Sign(body) {
    const { KeyId, SigningAlgorithm, MessageType, Message: message } = SignRequest.parse(body);
    const key = keyFor(lookup, KeyId, 'ECC_NIST_P256');
    const signature =
      MessageType === 'DIGEST' ? signDigest(message, key.material) : sign('sha256', message, key.material);
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
    return { KeyId: key.arn, Mac: macOf(key, message).toString('base64'), MacAlgorithm };
  },
  VerifyMac(body) {
    const { KeyId, MacAlgorithm, Message: message, Mac } = VerifyMacRequest.parse(body);
    const key = keyFor(lookup, KeyId, 'HMAC_256');
    const expected = macOf(key, message);
    if (Mac.length !== expected.length || !timingSafeEqual(Mac, expected)) {
      throw new AwsError('KMSInvalidMacException', 'The MAC does not match the message');
    }
    return { KeyId: key.arn, MacValid: true, MacAlgorithm };
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
