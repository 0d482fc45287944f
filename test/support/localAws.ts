import { LOCAL_CREDENTIALS } from '../../local/engines/awsCredentials.ts';
import type { Credentials } from '../../tools/start/demo.ts';

/** Client configuration of the AWS SDK for an embedded engine at `endpoint`, of this process or with the given credentials. */
export const localClient = (
  endpoint: string | null | undefined,
  given?: Credentials['aws_credentials'] | undefined,
) => ({
  region: 'us-east-1',
  credentials:
    given === undefined
      ? LOCAL_CREDENTIALS
      : { accessKeyId: given.access_key_id, secretAccessKey: given.secret_access_key },
  endpoint: endpoint ?? '',
});

/** The header of a request that is signed with the access key of this process. The engines do not check its signature. */
export const SIGNED = {
  authorization: `AWS4-HMAC-SHA256 Credential=${LOCAL_CREDENTIALS.accessKeyId}/20260101/us-east-1/x/aws4_request, SignedHeaders=host, Signature=0`,
};
