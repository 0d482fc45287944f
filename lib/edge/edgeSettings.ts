/** The CloudFront distribution in front of the API. */
export interface EdgeSettings {
  readonly domainName: string;
  readonly certificateArn: string;
  /** The domain of the API. */
  readonly originDomainName: string;
  /** Requests in five minutes that are admitted from one address. */
  readonly requestsPerAddress: number;
}

interface Given {
  readonly domainName?: string | undefined;
  readonly edgeDomainName?: string | undefined;
  readonly edgeCertificateArn?: string | undefined;
  readonly edgeRateLimit: number;
}

/** Undefined if there is no distribution. */
export const edgeOf = ({
  domainName,
  edgeDomainName,
  edgeCertificateArn,
  edgeRateLimit,
}: Given): EdgeSettings | undefined => {
  return domainName === undefined || edgeDomainName === undefined || edgeCertificateArn === undefined
    ? undefined
    : {
        domainName: edgeDomainName,
        certificateArn: edgeCertificateArn,
        originDomainName: domainName,
        requestsPerAddress: edgeRateLimit,
      };
};
