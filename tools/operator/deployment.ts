import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';

/** A running deployment as operators' commands see it: by the names of its outputs, `TableTenants`, `QueueAccepted` … */
export interface Deployment {
  readonly environment: 'production' | 'sandbox' | 'local';
  readonly baseUrl: string;
  readonly output: (name: string) => string;
}

const LocalInstance = z.object({
  base_url: z.string(),
  endpoints: z.record(z.string(), z.string().nullable()),
  outputs: z.record(z.string(), z.string()),
});

const requireOutput = (outputs: ReadonlyMap<string, string>) => (name: string) => {
  const value = outputs.get(name);
  if (value === undefined) throw new Error(`the deployment has no output ${name}`);
  return value;
};

/** Lets the AWS clients of this process talk to engines on this machine, which take any credentials. */
export const pointClientsAt = (endpoints: Readonly<Record<string, string | null>>): void => {
  for (const [service, url] of Object.entries(endpoints)) {
    if (url !== null) process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ??= url;
  }
  process.env['AWS_REGION'] ??= 'us-east-1';
  process.env['AWS_ACCESS_KEY_ID'] ??= 'local';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'local';
};

const local = (dataDir: string): Deployment => {
  const file = join(dataDir, 'credentials.json');
  if (!existsSync(file)) {
    throw new Error(`no instance runs here: start one with npm start, or name a deployed stack with --stack`);
  }
  const instance = LocalInstance.parse(JSON.parse(readFileSync(file, 'utf8')));
  pointClientsAt(instance.endpoints);
  return {
    environment: 'local',
    baseUrl: instance.base_url,
    output: requireOutput(new Map(Object.entries(instance.outputs))),
  };
};

const stackDeployment = async (stack: string): Promise<Deployment> => {
  const { Stacks = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: stack }),
  );
  const outputs = new Map(
    (Stacks[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
  const output = requireOutput(outputs);
  return {
    environment: z.enum(['production', 'sandbox']).parse(output('Environment')),
    baseUrl: output('BaseUrl'),
    output,
  };
};

/** The deployment a command works on: a stack by name with the operator's own AWS credentials, else the local instance. */
export const findDeployment = (options: {
  readonly stack: string | undefined;
  readonly dataDir: string;
}): Promise<Deployment> | Deployment =>
  options.stack === undefined ? local(options.dataDir) : stackDeployment(options.stack);
