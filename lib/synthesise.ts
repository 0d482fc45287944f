import { resolve } from 'node:path';
import * as z from 'zod';
import { createApp } from './app.ts';
import { type Settings, type SettingsInput, Settings as SettingsSchema } from './settings.ts';
import { AttributionStack } from './stack.ts';

/** The output folder of the build. */
export const builtAssets = resolve(import.meta.dirname, '..', 'dist');

/** Contains the environment, so that two stacks can share an account. */
export const stackName = (settings: Settings): string => `inference-attribution-${settings.environment}`;

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

export interface Assembly {
  readonly template: Template;
  /** The folder that asset paths in the template are relative to. */
  readonly assemblyDir: string;
}

/**
 * Synthesises the stack in this process. Asset paths are in the metadata of each function.
 * Throws if a setting is invalid, or if a bundle has not been built.
 */
export const synthesise = (input: SettingsInput, outdir: string, assets = builtAssets): Assembly => {
  const settings = SettingsSchema.parse(input);
  const app = createApp({
    outdir,
    treeMetadata: false,
    context: { 'aws:cdk:enable-asset-metadata': true },
  });
  const stack = new AttributionStack(app, stackName(settings), { settings, assets });
  const assembly = app.synth();
  const { template } = assembly.getStackArtifact(stack.artifactId);
  return { template: Template.parse(template), assemblyDir: assembly.directory };
};
