import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// Answers challenges (RFC 9110 11.6.1) with the credentials of a source, and reuses answers within their protection
/// space.
final class ChallengeAuthenticator: Authenticator {
    let restrictions: CredentialRestrictions
    private let source: any CredentialSource
    private let memory = Mutex(ProtectionSpaceStore())

    init(_ source: any CredentialSource, _ restrictions: CredentialRestrictions) {
        self.source = source
        self.restrictions = restrictions
    }

    var outsideScope: (any Authenticator)? {
        restrictions.namesOrigins ? self : source.outsideScope.map { ChallengeAuthenticator($0, restrictions) }
    }

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        under restrictions: CredentialRestrictions
    ) throws(SockeyeError) -> Preparation {
        if let answer = rememberedAnswer(to: request, restrictions) {
            return .replacing(request.authorized(answer.authorization, as: .answer(answer)))
        }
        guard let credential = source.preemptiveCredential(for: request), restrictions.isPrivate(request) else {
            return .ready
        }
        let authorization = try credential.checkedAuthorization
        let answer = ChallengeAnswer(authorization: authorization, credential: credential, realm: "", nonce: nil)
        return .replacing(request.authorized(authorization, as: .answer(answer)))
    }

    private func rememberedAnswer(
        to request: OutgoingRequest, _ restrictions: CredentialRestrictions
    ) -> ChallengeAnswer? {
        var draft = memory.withLock { memory -> ProtectionSpaceStore.Draft? in
            guard !memory.isEmpty, source.mayReuseAnswer(for: request) else { return nil }
            return memory.draft(
                at: request.url, over: request.parts.options.unixSocketPath,
                hasContent: request.body.bytesInMemory != nil
            ) {
                source.isCurrent($0, isDefault: $2, in: $1, for: request)
            }
        }
        // The lock is released before the answer is computed, because every request under this policy needs the lock.
        guard let answer = draft?.answer(request.digested), answer.nonce != nil || restrictions.isPrivate(request)
        else { return nil }
        return answer
    }

    func accepts(
        _ response: IncomingResponse, of request: OutgoingRequest, under restrictions: CredentialRestrictions
    ) -> Bool {
        let sent = request.parts.options.sentCredential
        guard response.statusCode == 401 else {
            if let sent { note(response, to: sent, of: request) }
            return true
        }
        // If the caller set Authorization, the policy does not replace the field, and the caller gets the 401.
        guard sent != nil || !request.parts.headers.contains(.authorization) else { return true }
        return (try? restrictions.permits(request)) != true
    }

    func revise(
        _ response: IncomingResponse, of request: OutgoingRequest, in call: Call,
        under restrictions: CredentialRestrictions
    ) async throws(SockeyeError) -> IncomingResponse {
        var round = AuthenticationAttempts()
        var (request, response) = (request, response)
        let bare = request.withoutSentCredential
        var refused = note(refused: request, &round)
        while response.statusCode == 401, bare.body.canBeSent,
            let answer = try await answer(to: response, bare, under: restrictions, after: refused, &round, in: call)
        {
            call.record(request, .success(response), reason: .challenged)
            // Frees the connection, which the next request may need.
            response.discardUnstored()
            request = bare.authorized(answer.authorization, as: .answer(answer))
            response = try await call.proceed(request)
            if response.statusCode == 401 {
                round.refused()
                refused = answer
                forget(answer, of: request)
            } else {
                note(response, to: .answer(answer), of: request)
            }
        }
        return response
    }

    /// Notes that the server rejected a request's credentials, and returns the answer that contained them. Nil if the
    /// request had no credentials, or only those of its URL.
    private func note(refused request: OutgoingRequest, _ round: inout AuthenticationAttempts) -> ChallengeAnswer? {
        if case .answer(let answer)? = request.options.sentCredential {
            round.refusedPreemptive(answer.credential, realm: answer.realm, nonce: answer.nonce)
            forget(answer, of: request)
            return answer
        }
        if let credential = request.url.credential {
            round.refusedPreemptive(credential, realm: "", nonce: nil)
        }
        return nil
    }

    private func forget(_ answer: ChallengeAnswer, of request: OutgoingRequest) {
        memory.withLock { $0.forget(answer, of: request.url.origin, over: request.parts.options.unixSocketPath) }
    }

    /// Stores the next nonce if the response announces one (RFC 7616 3.5).
    private func note(_ response: IncomingResponse, to sent: SentCredential, of request: OutgoingRequest) {
        guard case .answer(let answer) = sent, let nonce = answer.nonce,
            let info = response["Authentication-Info"], let next = AuthenticationInfo(info).nextNonce
        else { return }
        memory.withLock {
            $0.renew(
                nonce, of: response.url.origin, over: request.parts.options.unixSocketPath, by: next,
                clientNonce: DigestSession.randomClientNonce())
        }
    }

    /// Returns the answer to a response's challenges; nil if no credential fits or no further attempt is allowed.
    private func answer(
        to response: IncomingResponse, _ request: OutgoingRequest, under restrictions: CredentialRestrictions,
        after refused: ChallengeAnswer?, _ round: inout AuthenticationAttempts, in call: Call
    ) async throws(SockeyeError) -> ChallengeAnswer? {
        let challenges = ChallengeParser.challenges(in: response.values(of: .wwwAuthenticate))
        guard !challenges.isEmpty, !round.areExhausted else { return nil }
        let ranked = SupportedChallenge.ranked(challenges)
        if let refused, let answer = try renewed(refused, ranked, request, &round) { return answer }
        let context = ChallengeContext(
            request: request, response: response, challenges: challenges, ranked: ranked, failures: round.failures,
            call: call.shared)
        for proposal in try await proposals(context, by: call.shared.clock) {
            guard round.permits(proposal.challenge, proposal.credential),
                !proposal.challenge.revealsCredential || restrictions.isPrivate(request),
                let answer = try answer(proposal, request)
            else { continue }
            round.answered(proposal.challenge, with: proposal.credential)
            return answer
        }
        return nil
    }

    /// Returns an answer with the same credential and the new nonce if the server rejected the last answer only because
    /// its nonce was stale (RFC 7616 3.3). The source is not asked for credentials again.
    private func renewed(
        _ refused: ChallengeAnswer, _ ranked: [SupportedChallenge], _ request: OutgoingRequest,
        _ round: inout AuthenticationAttempts
    ) throws(SockeyeError) -> ChallengeAnswer? {
        guard refused.nonce != nil,
            source.isCurrent(refused.credential, isDefault: refused.isDefault, in: refused.realm, for: request)
        else { return nil }
        for challenge in ranked where challenge.isStale && challenge.realm == refused.realm {
            let proposal = CredentialProposal(
                challenge: challenge, credential: refused.credential, isDefault: refused.isDefault)
            guard round.permits(challenge, refused.credential), let answer = try answer(proposal, request)
            else { continue }
            round.renewed(challenge, with: refused.credential)
            return answer
        }
        return nil
    }

    private func proposals(
        _ context: ChallengeContext, by clock: CallClock
    ) async throws(SockeyeError) -> [CredentialProposal] {
        do throws(SockeyeError) {
            return try await source.proposals(context)
        } catch {
            throw context.response.refusal(
                replacing: error, body: await context.response.startOfRefusedBody(by: clock))
        }
    }

    private func answer(
        _ proposal: CredentialProposal, _ request: OutgoingRequest
    ) throws(SockeyeError) -> ChallengeAnswer? {
        do throws(CredentialFault) {
            guard
                var draft = try ProtectionSpaceStore.Draft(
                    proposal.challenge, with: proposal.credential, isDefault: proposal.isDefault, at: request.url,
                    clientNonce: DigestSession.randomClientNonce),
                let answer = draft.answer(request.digested)
            else { return nil }
            memory.withLock { [draft] in
                $0.remember(draft, at: request.url, over: request.parts.options.unixSocketPath)
            }
            return answer
        } catch {
            throw SockeyeError(error)
        }
    }
}

extension OutgoingRequest {
    /// The parts of the request that a Digest answer covers.
    fileprivate var digested: DigestRequest {
        DigestRequest(
            method: method.rawValue, target: parts.isConnect ? url.authorityForm : String(Substring(url.target)),
            content: body.bytesInMemory)
    }
}
