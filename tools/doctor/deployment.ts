import { settingsFromArguments } from '../deploy/contextSettings.ts';
import { examineAccount } from './account.ts';
import { awsAccount } from './awsAccount.ts';
import { report } from './finding.ts';

/** Checks the AWS account before a deployment with these CDK arguments. Returns the exit code: 1 if a check failed. */
export const runDeploymentDoctor = async (
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> => report(await examineAccount(awsAccount(), settingsFromArguments(args)), print);
