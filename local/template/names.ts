import { createHash } from 'node:crypto';

/** The AWS account id of the local engines. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const PARTITION = 'aws';
export const URL_SUFFIX = 'amazonaws.com';

export const arn = (service: string, resource: string): string =>
  `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** The URL of a queue on AWS. */
export const queueUrl = (name: string): string => `https://sqs.${REGION}.${URL_SUFFIX}/${ACCOUNT}/${name}`;

/** S3 allows 3 to 63 lower-case letters, digits and hyphens. */
export const bucketName = (logicalId: string): string => logicalId.toLowerCase().slice(0, 63);

/** A UUID derived from the logical id, so that a key keeps its id after a restart. */
export function keyId(logicalId: string): string {
  const hex = createHash('sha256').update(logicalId).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

const hexadecimal = (logicalId: string, digits: number): string =>
  createHash('sha256').update(logicalId).digest('hex').slice(0, digits);

/** Ten characters, as in API Gateway. */
export const apiId = (logicalId: string): string => hexadecimal(logicalId, 10);

/** The region and nine characters, as in Cognito. */
export const userPoolId = (logicalId: string): string => `${REGION}_${hexadecimal(logicalId, 9)}`;

/** Twenty-six characters, as in Cognito. */
export const userPoolClientId = (logicalId: string): string => hexadecimal(logicalId, 26);
