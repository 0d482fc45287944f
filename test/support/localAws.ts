import { LOCAL_CREDENTIALS } from '../../local/engines/awsCredentials.ts';

/** Client configuration of the AWS SDK for an embedded engine at `endpoint`. */
export const localClient = (endpoint: string | null | undefined) => ({
  region: 'us-east-1',
  credentials: LOCAL_CREDENTIALS,
  endpoint: endpoint ?? '',
});
