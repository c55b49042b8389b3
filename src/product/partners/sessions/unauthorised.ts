/** Every 401 has `WWW-Authenticate: Bearer`, with the error of RFC 6750 unless the request had no credentials (section 3.1). */
import { type ErrorCode, Problem } from '#errors.ts';

const challenge = 'Bearer realm="pitlane"';

export function unauthorised(
  code: Extract<ErrorCode, '010000' | '010001' | '010003'>,
  message: string,
): Problem {
  const error = code === '010000' ? 'invalid_token' : 'invalid_request';
  const description = message.replaceAll(/["\\]/g, "'");
  return new Problem(code, {
    message,
    headers: { 'www-authenticate': `${challenge}, error="${error}", error_description="${description}"` },
  });
}

/** For a request without an Authorization header: its challenge has no error (RFC 6750, 3.1). */
export function noCredentials(): Problem {
  return new Problem('010000', {
    message: 'Send an access token: Authorization: Bearer <token>',
    headers: { 'www-authenticate': challenge },
  });
}
