import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeLimitsCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { stackStatus } from '../deploy/deploy.ts';
import type { AccountReader } from './account.ts';

/** The stack that `cdk bootstrap` creates. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/** Reads the account and region of the AWS credentials in the environment. */
export const awsAccount = (): AccountReader => {
  const cloudFormation = new CloudFormationClient({});
  return {
    region: () => cloudFormation.config.region(),
    bootstrapVersion: async () => {
      if ((await stackStatus(BOOTSTRAP_STACK)) === undefined) return null;
      const { Stacks = [] } = await cloudFormation.send(
        new DescribeStacksCommand({ StackName: BOOTSTRAP_STACK }),
      );
      const version = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion');
      return Number(version?.OutputValue ?? 0);
    },
    lambdaConcurrency: async () =>
      (await new LambdaClient({}).send(new GetAccountSettingsCommand({}))).AccountLimit
        ?.ConcurrentExecutions ?? 0,
    sendsMailToAnyone: async () =>
      (await new SESv2Client({}).send(new GetAccountCommand({}))).ProductionAccessEnabled ?? false,
    tableWriteUnits: async () =>
      (await new DynamoDBClient({}).send(new DescribeLimitsCommand({}))).TableMaxWriteCapacityUnits ?? 0,
    stackStatus,
  };
};
