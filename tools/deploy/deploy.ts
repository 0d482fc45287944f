import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { stackNameOf } from '../../lib/stackName.ts';
import { contextOf, deployCommands } from './firstDeployment.ts';

const root = resolve(import.meta.dirname, '../..');

const CdkFile = z.object({ context: z.record(z.string(), z.unknown()).default({}) });

/** The environment that the CDK command would deploy: from its arguments, else from `cdk.json`, else production. */
export const environmentOf = (args: readonly string[]): string => {
  const { context } = CdkFile.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')));
  return z.string().parse(contextOf(args, 'environment') ?? context['environment'] ?? 'production');
};

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
 * Deploys the stack with the CDK command and its arguments. Creates a new stack without protection first, so that a failed
 * creation can be repeated. Returns the exit code of the first command that failed, or 0.
 */
export const deploy = async (args: readonly string[]): Promise<number> => {
  const status = await stackStatus(stackNameOf(environmentOf(args)));
  for (const command of deployCommands(status, args)) {
    const { status: code } = spawnSync(join(root, 'node_modules/.bin/cdk'), command, {
      cwd: root,
      stdio: 'inherit',
    });
    if (code !== 0) return code ?? 1;
  }
  return 0;
};
