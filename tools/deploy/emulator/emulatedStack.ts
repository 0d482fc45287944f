import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import type { Template } from '../../../lib/synthesise.ts';
import { stackStatus } from '../deploy.ts';

const POLL_MS = 500;
/** Emulators create a stack of this size in seconds, most of it for keys. */
const DEADLINE_MS = 300_000;

// An emulator that fails on a resource answers 500, and does so again.
const client = (): CloudFormationClient => new CloudFormationClient({ maxAttempts: 1 });

/** Waits until the stack has a final state. Undefined if there is no such stack. */
const finalStatus = async (name: string): Promise<string | undefined> => {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const status = await stackStatus(name);
    if (status?.endsWith('_IN_PROGRESS') !== true) return status;
    if (Date.now() > deadline) throw new Error(`The stack ${name} stays ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const expectStatus = async (name: string, expected: string): Promise<void> => {
  const status = await finalStatus(name);
  if (status !== expected) throw new Error(`The stack ${name} is ${status ?? 'missing'}, not ${expected}.`);
};

/** A stack in an emulator. Each operation waits for its end, and throws unless it succeeds. */
export const emulatedStack = (name: string) => {
  const input = (template: Template) => ({
    StackName: name,
    TemplateBody: JSON.stringify(template),
    Capabilities: ['CAPABILITY_NAMED_IAM' as const],
  });
  return {
    async create(template: Template): Promise<void> {
      await client().send(new CreateStackCommand(input(template)));
      await expectStatus(name, 'CREATE_COMPLETE');
      const { StackResources = [] } = await client().send(
        new DescribeStackResourcesCommand({ StackName: name }),
      );
      const created = new Set(
        StackResources.filter(({ PhysicalResourceId }) => PhysicalResourceId !== undefined).map(
          ({ LogicalResourceId }) => LogicalResourceId,
        ),
      );
      const missing = Object.keys(template.Resources).filter((id) => !created.has(id));
      if (missing.length > 0)
        throw new Error(`created without an id: ${missing.length} resources, such as ${missing[0]}`);
    },
    async update(template: Template): Promise<void> {
      await client().send(new UpdateStackCommand(input(template)));
      await expectStatus(name, 'UPDATE_COMPLETE');
    },
    async destroy(): Promise<void> {
      await client().send(new DeleteStackCommand({ StackName: name }));
      const status = await finalStatus(name);
      if (status !== undefined && status !== 'DELETE_COMPLETE') {
        throw new Error(`The stack ${name} is ${status}.`);
      }
    },
  };
};
