import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { stackNameOf } from '../../lib/names.ts';
import { settingsFromArguments } from './contextSettings.ts';
import { deployCommands } from './firstDeployment.ts';

const root = resolve(import.meta.dirname, '../..');

/** The status of a stack, or undefined if there is none. */
export const stackStatus = async (stack: string): Promise<string | undefined> => {
  try {
    const { Stacks = [] } = await new CloudFormationClient({}).send(
      new DescribeStacksCommand({ StackName: stack }),
    );
    return Stacks[0]?.StackStatus;
  } catch (error) {
    // CloudFormation has no error type of its own for a missing stack.
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
};

/**
 * Deploys the stacks with the CDK command and its arguments. Creates a new stack of data without protection first, so that
 * a failed creation can be repeated. Returns the exit code of the first command that failed, or 0.
 */
export const deploy = async (args: readonly string[]): Promise<number> => {
  const dataStack = stackNameOf(settingsFromArguments(args).deployment, 'data');
  for (const command of deployCommands(dataStack, await stackStatus(dataStack), args)) {
    const { status: code } = spawnSync(join(root, 'node_modules/.bin/cdk'), command, {
      cwd: root,
      stdio: 'inherit',
    });
    if (code !== 0) return code ?? 1;
  }
  return 0;
};
