import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its key, as PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** Encodes a DER element (X.690): tag, length and content. Supports what X.509 certificates need. */
const der = (tag: number, ...inside: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(inside);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...inside: readonly Uint8Array[]) => der(0x30, ...inside);
const bytes = (...values: readonly number[]) => Buffer.from(values);
const time = (at: number) =>
  der(0x18, Buffer.from(new Date(at).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '')));

const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = bytes(0x55, 0x04, 0x03);
const SUBJECT_ALTERNATIVE_NAME = bytes(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = bytes(0x55, 0x1d, 0x13);
const AUTHORITY = sequence(der(0x01, bytes(0xff)));
const DAY = 24 * 60 * 60 * 1_000;

const named = (name: string) =>
  sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from(name)))));
const extension = (id: Uint8Array, value: Uint8Array) => sequence(der(0x06, id), der(0x04, value));
const alternative = (name: string) =>
  isIP(name) === 4 ? der(0x87, bytes(...name.split('.').map(Number))) : der(0x82, Buffer.from(name));

let serial = 0;

const certificate = (options: {
  readonly subject: string;
  readonly key: KeyObject;
  readonly issuer: string;
  readonly signer: KeyObject;
  readonly expires: number;
  readonly extensions: readonly Uint8Array[];
}): string => {
  const { subject, key, issuer, signer, expires, extensions } = options;
  serial += 1;
  const signed = sequence(
    der(0xa0, der(0x02, bytes(2))),
    der(0x02, bytes(serial)),
    ECDSA_WITH_SHA256,
    named(issuer),
    sequence(time(expires - 30 * DAY), time(expires)),
    named(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, bytes(0), sign('sha256', signed, signer));
  return new X509Certificate(sequence(signed, ECDSA_WITH_SHA256, signature)).toString();
};

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey, pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
};

/** A certificate authority for tests. `expires` is epoch milliseconds. */
export const authority = (name = 'Test authority') => {
  const own = newKey();
  const signer = createPrivateKey(own.pem);
  const cert = certificate({
    subject: name,
    key: own.publicKey,
    issuer: name,
    signer,
    expires: Date.now() + DAY,
    extensions: [extension(BASIC_CONSTRAINTS, AUTHORITY)],
  });
  return {
    cert,
    issue: (names: readonly string[], expires = Date.now() + DAY): Identity => {
      const { publicKey, pem } = newKey();
      const extensions = [extension(SUBJECT_ALTERNATIVE_NAME, sequence(...names.map(alternative)))];
      const [subject = ''] = names;
      return {
        key: pem,
        cert: certificate({ subject, key: publicKey, issuer: name, signer, expires, extensions }),
      };
    },
  };
};
