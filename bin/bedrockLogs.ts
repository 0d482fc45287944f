import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createApp } from '../lib/app.ts';
import { BedrockLogsSettings } from '../lib/bedrockLogs/bedrockLogsSettings.ts';
import { BedrockLogsStack } from '../lib/bedrockLogs/bedrockLogsStack.ts';
import { isCdkContext } from '../tools/deploy/contextSettings.ts';
import { errorText } from '../tools/operator/errorText.ts';

const app = createApp();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
try {
  const context: object = app.node.getAllContext();
  const given = Object.entries(context).filter(([name]) => !isCdkContext(name));
  // Strict: a mistyped setting must not deploy its default.
  const settings = BedrockLogsSettings.parse(Object.fromEntries(given));
  new BedrockLogsStack(app, 'inference-attribution-bedrock-logs', settings);
} catch (error) {
  console.error(errorText(error));
  process.exit(1);
}
