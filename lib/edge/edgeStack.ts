import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  LambdaEdgeEventType,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import type { EdgeSettings } from './edgeSettings.ts';
import { OriginResponseFunction } from './originResponseFunction.ts';
import { webAcl } from './webAcl.ts';

/** CloudFront reads certificates, web ACLs and functions only from this region. */
const REGION = 'us-east-1';
/** Longer than the 11 s in which the API answers or times out. */
const READ_TIMEOUT = Duration.seconds(20);

/**
 * An optional CloudFront distribution in front of the API, with a web ACL. It caches nothing. It gives back the name of
 * the header `WWW-Authenticate`, which API Gateway changes, and answers its errors as problem documents.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, edge: EdgeSettings, props: StackProps = {}) {
    super(scope, id, {
      ...props,
      description: 'CloudFront and WAF in front of the inference attribution API',
      env: { region: REGION },
    });
    const baseUrl = `https://${edge.domainName}`;
    const originResponse = new OriginResponseFunction(this, 'OriginResponse', baseUrl);
    const distribution = new Distribution(this, 'Distribution', {
      domainNames: [edge.domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', edge.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      webAclId: webAcl(this, 'WebAcl', edge.requestsPerAddress, baseUrl).attrArn,
      defaultBehavior: {
        origin: new HttpOrigin(edge.originDomainName, { readTimeout: READ_TIMEOUT }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // API Gateway selects the API by the host name of the origin.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        edgeLambdas: [
          { functionVersion: originResponse.version, eventType: LambdaEdgeEventType.ORIGIN_RESPONSE },
        ],
      },
    });
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'The API has no content that is restricted to countries.' },
      {
        id: 'AwsSolutions-CFR3',
        reason: 'The API writes an access log without addresses. A second log would identify callers.',
      },
    );
    this.exportValue(distribution.distributionDomainName, { name: `${id}-domain-name` });
  }
}
