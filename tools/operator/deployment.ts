import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { stackNamesOf } from '../../lib/names.ts';
import type { AwsCredentials } from '../../local/engines/awsCredentials.ts';

/** A running deployment. `output` returns a stack output by name, such as `TableTenants` or `QueueAccepted`. */
export interface Deployment {
  readonly environment: 'production' | 'sandbox' | 'local';
  readonly baseUrl: string;
  readonly output: (name: string) => string;
  /** The Cognito user pool of a deployed stack, if it declares one. */
  readonly userPoolId?: string;
}

const LocalInstance = z.object({
  base_url: z.string(),
  endpoints: z.record(z.string(), z.string().nullable()),
  outputs: z.record(z.string(), z.string()),
  aws_credentials: z.object({ access_key_id: z.string(), secret_access_key: z.string() }),
});

const requireOutput = (outputs: ReadonlyMap<string, string>) => (name: string) => {
  const value = outputs.get(name);
  if (value === undefined)
    throw new Error(`The deployment has no output ${name}. Deploy or restart the current version first.`);
  return value;
};

/**
 * Points the AWS clients of this process at the engines of an instance, with its credentials. They replace those of the
 * operator's environment, which its engines do not know.
 */
export const pointClientsAt = (
  endpoints: Readonly<Record<string, string | null>>,
  { accessKeyId, secretAccessKey }: AwsCredentials,
): void => {
  for (const [service, url] of Object.entries(endpoints)) {
    if (url !== null) process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ??= url;
  }
  process.env['AWS_REGION'] ??= 'us-east-1';
  process.env['AWS_ACCESS_KEY_ID'] = accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = secretAccessKey;
  delete process.env['AWS_SESSION_TOKEN'];
};

const local = (dataDir: string): Deployment => {
  const file = join(dataDir, 'credentials.json');
  if (!existsSync(file)) {
    throw new Error(
      `No instance found: ${dataDir} has no credentials.json. Start one with "npm start", set its data directory with --data-dir, or name a deployment with --stack.`,
    );
  }
  const instance = LocalInstance.parse(JSON.parse(readFileSync(file, 'utf8')));
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = instance.aws_credentials;
  pointClientsAt(instance.endpoints, { accessKeyId, secretAccessKey });
  return {
    environment: 'local',
    baseUrl: instance.base_url,
    output: requireOutput(new Map(Object.entries(instance.outputs))),
  };
};

/** The outputs of all stacks of a deployment. Rejects if one is missing. */
const outputsOf = async (deployment: string): Promise<Map<string, string>> => {
  const client = new CloudFormationClient({});
  const described = await Promise.all(
    stackNamesOf(deployment).map((StackName) => client.send(new DescribeStacksCommand({ StackName }))),
  );
  return new Map(
    described
      .flatMap(({ Stacks = [] }) => Stacks.flatMap(({ Outputs = [] }) => Outputs))
      .map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
};

const deployed = async (deployment: string): Promise<Deployment> => {
  const outputs = await outputsOf(deployment);
  const output = requireOutput(outputs);
  const userPoolId = outputs.get('UserPoolId');
  return {
    environment: z.enum(['production', 'sandbox']).parse(output('Environment')),
    baseUrl: output('BaseUrl'),
    output,
    ...(userPoolId !== undefined && { userPoolId }),
  };
};

/** The deployment that a command uses: the named one, with the operator's AWS credentials, or the local instance. */
export const findDeployment = (options: {
  readonly stack: string | undefined;
  readonly dataDir: string;
}): Promise<Deployment> | Deployment =>
  options.stack === undefined ? local(options.dataDir) : deployed(options.stack);
