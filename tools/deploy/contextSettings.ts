import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Node } from 'constructs';
import * as z from 'zod';
import { probableName } from '../../functions/platform/shared/nearestName.ts';
import { Settings, settingNames } from '../../lib/settings.ts';
import { didYouMean } from '../../sdk/shared/didYouMean.ts';

const CDK_FILE = join(resolve(import.meta.dirname, '../..'), 'cdk.json');

/** Context of the CDK itself: feature flags, lookups, and the options of its command. */
export const isCdkContext = (name: string): boolean => /[:/]/.test(name) || name === 'cli-telemetry';

/** One sentence for each context value that is no setting. A mistyped setting must not deploy its default. */
const unknownSettings = (names: readonly string[]): string[] =>
  names
    .filter((name) => !settingNames.includes(name) && !isCdkContext(name))
    .map((name) => {
      const suggestion = didYouMean(probableName(name, settingNames));
      return `Unknown setting "${name}".${suggestion || ` Settings: ${settingNames.join(', ')}.`}`;
    });

/**
 * Reads settings from CDK context, such as `-c environment=sandbox`. Throws an Error that names each unknown setting, and
 * a ZodError for an invalid setting.
 */
export const settingsFromContext = (node: Node): Settings => {
  const context = z.record(z.string(), z.unknown()).parse(node.getAllContext());
  const unknown = unknownSettings(Object.keys(context));
  if (unknown.length > 0) throw new Error(unknown.join('\n'));
  return Settings.parse(Object.fromEntries(settingNames.map((name) => [name, context[name]] as const)));
};

/** The value of a context setting in CDK arguments. The last one counts, as in the CDK command. */
const contextOf = (args: readonly string[], name: string): string | undefined =>
  args
    .flatMap((arg, index) => {
      if (arg === '-c' || arg === '--context') return [args[index + 1] ?? ''];
      return arg.startsWith('--context=') ? [arg.slice('--context='.length)] : [];
    })
    .filter((text) => text.startsWith(`${name}=`))
    .at(-1)
    ?.slice(name.length + 1);

const CdkFile = z.object({ context: z.record(z.string(), z.unknown()).default({}) });

/** The settings that the CDK command would use: from its arguments, else from `cdk.json`. Throws a ZodError for an invalid one. */
export const settingsFromArguments = (args: readonly string[], file = CDK_FILE): Settings => {
  const { context } = CdkFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Settings.parse(
    Object.fromEntries(settingNames.map((name) => [name, contextOf(args, name) ?? context[name]] as const)),
  );
};
