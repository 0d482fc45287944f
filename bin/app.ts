import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createApp } from '../lib/app.ts';
import { settingsFromContext } from '../lib/settings.ts';
import { AttributionStack } from '../lib/stack.ts';
import { stackName } from '../lib/synthesise.ts';
import { deploymentBundles } from '../tools/build/bundle.ts';

const app = createApp();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
const settings = settingsFromContext(app.node);
new AttributionStack(app, stackName(settings), { settings, assets: deploymentBundles });
