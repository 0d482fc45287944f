import type { ClientSettings } from '../provision/externalServices.ts';
import { ACCOUNT, arn, keyId, REGION } from '../template/names.ts';
import type { ResourceLocations } from '../template/resourceIdentities.ts';
import type { Stack } from '../template/stack.ts';
import { type AwsCredentials, LOCAL_CREDENTIALS } from './awsCredentials.ts';
import type { DataDirectory } from './dataDirectory.ts';
import { startDynamoDb } from './dynamodb/dynamodb.ts';
import { openKeys } from './kms/keyStore.ts';
import { startKms } from './kms/kms.ts';
import { type IdentityProviderEngine, startIdentityProvider } from './oidc/oidc.ts';
import { startUserPool } from './oidc/userPool.ts';
import { startSes } from './ses.ts';
import { startSqsS3 } from './sqsS3/sqsS3.ts';
import { type StateMachinesEngine, startStateMachines } from './stepFunctions/stateMachines.ts';

const SERVICES = ['dynamodb', 'sqs', 's3', 'kms', 'sfn', 'sesv2', 'cognito_identity_provider'] as const;
type Service = (typeof SERVICES)[number];

export type Endpoints = Record<Service, string>;

/** The endpoints of all services, both embedded engines and external endpoints. */
export interface Engines {
  endpoints: Endpoints;
  /** Those that this process and its functions use, without front doors. */
  ownEndpoints: Endpoints;
  /** Of every function and client of this start. */
  credentials: AwsCredentials;
  isExternal(service: Service): boolean;
  /** Settings for an AWS client in this process. */
  client(service: Service): ClientSettings;
  /** The OpenID Connect provider. Undefined if the stack declares no user pool. */
  identityProvider: IdentityProviderEngine | undefined;
  /**
   * The embedded state machine engine. Undefined with an external Step Functions endpoint, which must already hold the
   * state machines because it cannot call local functions.
   */
  stateMachines: StateMachinesEngine | undefined;
  /** Ends every waiting long poll of the embedded queue engine. */
  endLongPolls(): void;
  stop(): Promise<void>;
}

/**
 * Starts every engine that no `AWS_ENDPOINT_URL_…` variable of the given environment replaces. If one fails to start,
 * stops the others and throws the error.
 */
export async function startEngines(
  stack: Stack,
  data: DataDirectory,
  environment: Record<string, string>,
  log: (line: string) => void,
): Promise<Engines> {
  const externalUrl = (service: Service): string | undefined =>
    environment[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ?? environment['AWS_ENDPOINT_URL'];
  const credentials = credentialsFromEnv(environment);
  const needsMessaging = !externalUrl('sqs') || !externalUrl('s3');
  const starting = [
    externalUrl('dynamodb') ? undefined : startDynamoDb(data, log, credentials),
    needsMessaging ? startSqsS3(data, externalUrl('s3') ? [] : stack.buckets, log, credentials) : undefined,
    externalUrl('kms') ? undefined : startKms(openKeys(data.join('keys.json'), stack.keys), credentials),
    stack.userPool ? startIdentityProvider(data, log) : undefined,
    externalUrl('sfn') ? undefined : startStateMachines(data, credentials),
    externalUrl('sesv2') ? undefined : startSes(data, credentials),
    stack.userPool && !externalUrl('cognito_identity_provider')
      ? startUserPool(data, credentials)
      : undefined,
  ] as const;
  const stop = async (): Promise<void> => {
    for (const engine of await Promise.allSettled(starting)) {
      if (engine.status === 'fulfilled') await engine.value?.stop();
    }
  };
  try {
    const [dynamodb, messaging, kms, identityProvider, stateMachines, mail, userPool] =
      await Promise.all(starting);
    const endpoints = {
      dynamodb: externalUrl('dynamodb') ?? dynamodb?.url ?? '',
      sqs: externalUrl('sqs') ?? messaging?.url ?? '',
      s3: externalUrl('s3') ?? messaging?.url ?? '',
      kms: externalUrl('kms') ?? kms?.url ?? '',
      sfn: externalUrl('sfn') ?? stateMachines?.url ?? '',
      sesv2: externalUrl('sesv2') ?? mail?.url ?? '',
      cognito_identity_provider: externalUrl('cognito_identity_provider') ?? userPool?.url ?? '',
    };
    const ownEndpoints = { ...endpoints, dynamodb: dynamodb?.hiddenUrl ?? endpoints.dynamodb };
    return {
      endpoints,
      ownEndpoints,
      credentials,
      isExternal: (service) => externalUrl(service) !== undefined,
      client: (service) => ({ endpoint: ownEndpoints[service], region: REGION, credentials }),
      identityProvider,
      stateMachines,
      endLongPolls: () => messaging?.endLongPolls(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The credentials from the environment of the functions, or the local defaults. */
function credentialsFromEnv(environment: Record<string, string>): AwsCredentials {
  const sessionToken = environment['AWS_SESSION_TOKEN'];
  return {
    accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? LOCAL_CREDENTIALS.accessKeyId,
    secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? LOCAL_CREDENTIALS.secretAccessKey,
    ...(sessionToken !== undefined && sessionToken !== '' && { sessionToken }),
  };
}

/** Resource locations in the embedded engines. They are known before the engines run, so a template can be read first. */
export const embeddedLocations = (apiUrl: string, sqsUrl: string, issuer = ''): ResourceLocations => ({
  apiUrl,
  issuer,
  queue: (name) => ({ url: `${sqsUrl}/${ACCOUNT}/${name}`, arn: arn('sqs', name) }),
  key: (logicalId) => ({ id: keyId(logicalId), arn: arn('kms', `key/${keyId(logicalId)}`) }),
});
