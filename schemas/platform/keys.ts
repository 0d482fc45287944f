/** The KMS keys of the stack. */
export const keys = {
  signing: { spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY', holds: 'Signs access tokens (ES256)' },
  cursor: {
    spec: 'HMAC_256',
    usage: 'GENERATE_VERIFY_MAC',
    holds: 'Derives the key that authenticates cursors',
  },
  sealing: {
    spec: 'HMAC_256',
    usage: 'GENERATE_VERIFY_MAC',
    holds: 'Derives the secret that stored idempotent responses are encrypted with',
  },
  endpoint: {
    spec: 'HMAC_256',
    usage: 'GENERATE_VERIFY_MAC',
    holds: 'Derives the key that encrypts the signing secrets of webhook endpoints and chat URLs',
  },
  billCredential: {
    spec: 'SYMMETRIC_DEFAULT',
    usage: 'ENCRYPT_DECRYPT',
    holds: 'Encrypts the credentials with which the service reads the bills of providers',
  },
} as const;
export type KeyName = keyof typeof keys;
export const keyNames = Object.keys(keys) as KeyName[];
