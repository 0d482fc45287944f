import { resolve } from 'node:path';
import * as z from 'zod';
import { createApp } from './app.ts';
import { type Settings, type SettingsInput, Settings as SettingsSchema } from './settings.ts';
import { AttributionStack } from './stack.ts';

/** Where the build puts the bundles. */
export const builtAssets = resolve(import.meta.dirname, '..', 'dist');

/** The stack's name says which environment it is, so that two of them fit in one account. */
export const stackName = (settings: Settings): string => `inference-attribution-${settings.environment}`;

/** The part of a CloudFormation template that its readers rely on; the rest is kept as it is. */
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
 * The stack as a template, made in this process. Asset paths are in each function's metadata.
 * Throws on a wrong setting, or when a bundle has not been built.
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
