import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { addStacks, createApp } from './app.ts';
import { type StackKind, stackKinds } from './names.ts';
import { Settings, type SettingsInput } from './settings.ts';

const ASSET_PATH = 'aws:asset:path';

/** The parts of a CloudFormation template that callers read. Other members are kept. */
export const Template = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      Metadata: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  Parameters: z.record(z.string(), z.looseObject({ Type: z.string(), Default: z.unknown() })).default({}),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
});
export type Template = z.infer<typeof Template>;
/** The templates of a deployment, in the order of their deployment. */
export type Templates = Readonly<Record<StackKind, Template>>;

/**
 * Synthesises the stacks in this process. The metadata of each function names its bundle, relative to `assets`. Bundles are
 * not copied. Throws if a setting is invalid, or if a bundle is missing.
 */
export const synthesise = (input: SettingsInput, outdir: string, assets: string): Templates => {
  const settings = Settings.parse(input);
  const app = createApp({
    outdir,
    treeMetadata: false,
    context: { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:disable-asset-staging': true },
  });
  const stacks = addStacks(app, settings, assets);
  const assembly = app.synth();
  const templateOf = (kind: StackKind): Template => {
    const template = Template.parse(assembly.getStackArtifact(stacks[kind].artifactId).template);
    for (const { Metadata } of Object.values(template.Resources)) {
      const path = Metadata?.[ASSET_PATH];
      if (Metadata && typeof path === 'string') Metadata[ASSET_PATH] = relative(assets, path);
    }
    return template;
  };
  return {
    data: templateOf('data'),
    api: templateOf('api'),
    workers: templateOf('workers'),
    observability: templateOf('observability'),
  };
};

const joined = <Member>(
  of: string,
  members: readonly Readonly<Record<string, Member>>[],
): Record<string, Member> => {
  const all: Record<string, Member> = {};
  for (const [name, member] of members.flatMap(Object.entries<Member>)) {
    // All stacks have the same parameters for the same values.
    if (name in all && !isDeepStrictEqual(all[name], member))
      throw new Error(`Two stacks have the ${of} ${name}`);
    all[name] = member;
  }
  return all;
};

/**
 * One template with the content of all stacks of a deployment, for readers that do not care in which stack a resource is.
 * Throws if two stacks use a logical id or the name of an output for different things.
 */
export const joinTemplates = (templates: Templates): Template => {
  const all = stackKinds.map((kind) => templates[kind]);
  return {
    Resources: joined(
      'resource',
      all.map(({ Resources }) => Resources),
    ),
    Parameters: joined(
      'parameter',
      all.map(({ Parameters }) => Parameters),
    ),
    Outputs: joined(
      'output',
      all.map(({ Outputs }) => Outputs),
    ),
  };
};
