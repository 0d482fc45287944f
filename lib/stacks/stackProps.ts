import {
  type App,
  CliCredentialsStackSynthesizer,
  type IStackSynthesizer,
  PermissionsBoundary,
  type StackProps,
  Tags,
} from 'aws-cdk-lib';
import * as z from 'zod';
import { APPLICATION, tagsOf } from '../names.ts';
import type { Settings } from '../settings.ts';

/**
 * The usual synthesizer needs a CDK bootstrap. This one uses the credentials of whoever uploads the code. It declares as
 * undefined what its interface declares as absent, so the types do not match.
 */
const withoutBootstrap = (bucket: string): IStackSynthesizer =>
  z
    .custom<IStackSynthesizer>()
    .parse(
      new CliCredentialsStackSynthesizer({ fileAssetsBucketName: bucket, bucketPrefix: `${APPLICATION}/` }),
    );

/** What all stacks of a deployment have. */
export const stackProps = ({ assetsBucket, permissionsBoundary }: Settings): StackProps => ({
  ...(assetsBucket !== undefined && { synthesizer: withoutBootstrap(assetsBucket) }),
  ...(permissionsBoundary !== undefined && {
    permissionsBoundary: PermissionsBoundary.fromName(permissionsBoundary),
  }),
});

/** Tags all resources of a deployment, so that a bill can be allocated to it. */
export const addTags = (app: App, { deployment }: Settings): void => {
  for (const [key, value] of Object.entries(tagsOf(deployment))) Tags.of(app).add(key, value);
};
