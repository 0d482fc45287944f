import { randomBytes } from 'node:crypto';

/** The AWS credentials that sign a request. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * The credentials of every function of this process. They are new at each start, and the embedded engines accept no others
 * (`admission.ts`). `credentials.json` has them for commands of the owner.
 */
export const LOCAL_CREDENTIALS: AwsCredentials = {
  accessKeyId: `LOCAL${randomBytes(16).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(32).toString('base64url'),
};
