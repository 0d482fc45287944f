import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploymentNameOf, stackKinds, stackNameOf } from '../../../lib/names.ts';
import type { SettingsInput } from '../../../lib/settings.ts';
import { joinTemplates, synthesise, type Template, type Templates } from '../../../lib/synthesise.ts';
import { cachedDeploymentBundles } from '../../build/deploymentBundles.ts';
import { errorText } from '../../operator/errorText.ts';
import { tenantCommand } from '../../operator/tenantCommand.ts';
import { stackStatus } from '../deploy.ts';
import { acceptedTypes } from './acceptedTypes.ts';
import { emulatedStack } from './emulatedStack.ts';
import { reduceTemplate, referencedTypesOf } from './reduceTemplate.ts';

const DEPLOYMENT = deploymentNameOf('sandbox');
const PROBE = `${DEPLOYMENT}-probe`;
const TENANT = 'emulated';

/** A function of the stack creates custom resources, and the functions have no code here. */
const NEEDS_A_FUNCTION = /^Custom::/;

/** Settings that change each stack. */
const CHANGED: SettingsInput = {
  alarmEmail: 'oncall@example.org',
  throttleRate: 100,
  throttleBurst: 50,
  trustedProxies: 1,
  producerPrincipals: ['123456789012'],
};

const OPERATOR_COMMANDS: readonly (readonly string[])[] = [
  ['create', '--name', 'Emulated', '--id', TENANT],
  ['set', TENANT, '--plan', 'standard'],
  ['sender', TENANT, 'AROAEMULATED'],
  ['user', TENANT, 'ann@example.org', '--role', 'finops', '--no-mail'],
  ['key', TENANT],
  ['show', TENANT],
];

const templatesOf = async (settings: SettingsInput, assets: string): Promise<Templates> => {
  const folder = await mkdtemp(join(tmpdir(), 'emulated-'));
  try {
    return synthesise({ environment: 'sandbox', ...settings }, folder, assets);
  } finally {
    await rm(folder, { recursive: true });
  }
};

const refusalOf = async (template: Template): Promise<string | null> => {
  const probe = emulatedStack(PROBE);
  try {
    await probe.create(template);
    return null;
  } catch (error) {
    const text = errorText(error);
    // An emulator that fails itself answers with a page for people.
    return text.includes('parse error') ? 'the emulator fails, see its log' : text.split('\n', 1).join();
  } finally {
    // Some emulators keep what they created before a failure.
    await probe.destroy().catch(() => undefined);
  }
};

/** The endpoint of the emulator. Without one, the commands would use a real account. Throws if there is none. */
export const requireEndpoint = (variables: Readonly<Record<string, string | undefined>>): string => {
  const endpoint = variables['AWS_ENDPOINT_URL'];
  if (endpoint === undefined || /amazonaws\.com/.test(endpoint)) {
    throw new Error('Set AWS_ENDPOINT_URL to the address of an AWS emulator, such as http://127.0.0.1:5000.');
  }
  return endpoint;
};

/** The resource types that the emulator accepts. Prints the others, and why. */
const typesOf = async (template: Template, print: (line: string) => void): Promise<ReadonlySet<string>> => {
  const types = referencedTypesOf(template);
  const tried = new Map([...types].filter(([type]) => !NEEDS_A_FUNCTION.test(type)));
  const { accepted, refused } = await acceptedTypes(tried, (some) =>
    refusalOf(reduceTemplate(template, some)),
  );
  for (const type of [...types.keys()].filter((one) => !accepted.has(one))) {
    const count = Object.values(template.Resources).filter(({ Type }) => Type === type).length;
    print(`not accepted  ${type} (${count}): ${refused.get(type) ?? 'needs a running function'}`);
  }
  return accepted;
};

/**
 * Creates, uses, updates and destroys the stacks of a sandbox in an AWS emulator, each alone and in their order. Prints each
 * step, and the resource types that the emulator does not accept. Returns the number of steps that failed.
 */
export const tryInEmulator = async (print: (line: string) => void): Promise<number> => {
  print(`Emulator at ${requireEndpoint(process.env)}`);
  const stacks = stackKinds.map((kind) => {
    const name = stackNameOf(DEPLOYMENT, kind);
    return { kind, name, stack: emulatedStack(name) };
  });
  for (const { name } of stacks)
    if ((await stackStatus(name)) !== undefined)
      throw new Error(`The emulator has a stack ${name}. Restart it, or delete the stack.`);
  print('Builds the functions and tries each resource type. This takes minutes.');
  const assets = await cachedDeploymentBundles();
  const templates = await templatesOf({}, assets);
  const accepted = await typesOf(joinTemplates(templates), print);

  let failures = 0;
  const step = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
      print(`done          ${name}`);
    } catch (error) {
      failures += 1;
      print(`failed        ${name}: ${errorText(error)}`);
    }
  };
  for (const { kind, stack } of stacks) {
    const reduced = reduceTemplate(templates[kind], accepted, 'present');
    const [kept, all] = [reduced, templates[kind]].map(({ Resources }) => Object.keys(Resources).length);
    await step(`create ${kept} of ${all} resources of the stack ${kind}`, () => stack.create(reduced));
  }
  for (const args of OPERATOR_COMMANDS) {
    await step(`tenant ${args.join(' ')}`, () => tenantCommand([...args, '--stack', DEPLOYMENT]));
  }
  const changed = await templatesOf(CHANGED, assets);
  const withSubscriptions = new Set([...accepted, 'AWS::SNS::Subscription']);
  for (const { kind, stack } of stacks)
    await step(`update the stack ${kind}`, () =>
      stack.update(reduceTemplate(changed[kind], withSubscriptions, 'present')),
    );
  await step(`tenant show ${TENANT} after the updates`, () =>
    tenantCommand(['show', TENANT, '--stack', DEPLOYMENT]),
  );
  for (const { kind, stack } of stacks.toReversed())
    await step(`destroy the stack ${kind}`, () => stack.destroy());
  return failures;
};
