import { relative } from 'node:path';
import * as z from 'zod';
import { addStacks, createApp } from './app.ts';
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
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })),
});
export type Template = z.infer<typeof Template>;

/**
 * Synthesises the stack in this process. The metadata of each function names its bundle, relative to `assets`. Bundles are
 * not copied. Throws if a setting is invalid, or if a bundle is missing.
 */
export const synthesise = (input: SettingsInput, outdir: string, assets: string): Template => {
  const settings = Settings.parse(input);
  const app = createApp({
    outdir,
    treeMetadata: false,
    context: { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:disable-asset-staging': true },
  });
  const stack = addStacks(app, settings, assets);
  const template = Template.parse(app.synth().getStackArtifact(stack.artifactId).template);
  for (const { Metadata } of Object.values(template.Resources)) {
    const path = Metadata?.[ASSET_PATH];
    if (Metadata && typeof path === 'string') Metadata[ASSET_PATH] = relative(assets, path);
  }
  return template;
};
