import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addStacks, createApp } from '../lib/app.ts';
import { cachedDeployableBundles } from '../tools/build/deploymentBundles.ts';
import { settingsFromContext } from '../tools/deploy/contextSettings.ts';
import { errorText } from '../tools/operator/errorText.ts';

const app = createApp();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
try {
  // First, because a mistyped setting should not wait for the build.
  const settings = settingsFromContext(app.node);
  // The CDK command builds what it deploys: new permissions must never meet old code.
  const assets = await cachedDeployableBundles();
  addStacks(app, settings, assets);
} catch (error) {
  console.error(errorText(error));
  process.exit(1);
}
