// Generated from openapi.json by client/generate.ts: `npm run openapi`.
export interface paths {
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller
         * @description The person or bot that the token acts for, with capabilities and teams. The ETag is a hash of the whole answer. Needs no capability; a pending membership of the team is enough.
         */
        get: operations["me.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a team
         * @description One of the caller's teams; any other team is 404. Active members see at most 50 members; invited users see neither members nor `memberCount`. The ETag is a hash of the whole answer. Needs no capability; a pending membership of the team is enough.
         */
        get: operations["teams.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/teams/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a team's members
         * @description Active members, admins first, then by display name. Bots are members, too. Invited users get `membership_pending`. Needs an active membership of the team, and no capability.
         */
        get: operations["teams.listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Contacts ordered by creation or, with `updated_since`, those that changed since then. There are no totals; a page costs the same at any depth. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["contacts.list"];
        put?: never;
        /**
         * Create a contact
         * @description Needs one of `email`, `firstName` and `lastName`. Unless `force=true`, an e-mail address that another contact has is rejected with 409, which lists the candidates. Emits `contact.created`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact
         * @description With `If-None-Match`, 304 while the contact is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["contacts.get"];
        put?: never;
        post?: never;
        /**
         * Delete a contact
         * @description Deltas list its tombstone for 90 days, and other records can take its external references. Its links are deleted, too, and its files 30 days later. It is removed from the lists of all projects that are not closed (`prospect.updated` with the action `removed` for each); closed projects keep it. Emits `contact.deleted`. Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["contacts.delete"];
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. Emits `contact.updated`. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["contacts.update"];
        trace?: never;
    };
    "/api/v1/network/contacts/batch/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get up to 100 contacts
         * @description One receipt for each id, in the order of the request: `found` with the contact, or `missing`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.batchGet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update up to 100 contacts
         * @description A contact is found by `id`, or else by one of its external references. An item patches the record that it finds, and otherwise creates one. Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Sending the same items again answers `unchanged` for all of them and emits no events. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.batchUpsert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 contacts
         * @description One receipt for each id, in the order of the request. An id without a record does not affect the others; its receipt says `missing`. Its links are deleted, too, and its files 30 days later. It is removed from the lists of all projects that are not closed (`prospect.updated` with the action `removed` for each); closed projects keep it. Emits `contact.deleted` for each. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.batchDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts:search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search contacts
         * @description Finds contacts by words and by their members. `query` is searched in first and last name, e-mail address and phone number. A phone number is found by its digits, in one word or several, in any notation; leading zeros are ignored.
         *
         *     Conditions combine with AND, as do several operators on one member. A search finds living records only and returns no totals. A page costs the same at any depth.
         *
         *     - **Text** is compared without case and accents in `query`, filters and sorts: `muller` equals `Müller`, `strasse` equals `Straße`. `eq` and `in` compare the whole text. `%`, `_` and `\` are ordinary characters. `gt`, `gte`, `lt`, `lte` and sorts compare the code points of the first 200 characters.
         *     - **query** finds records that contain all of its words (at most 10, of 200 characters together), each anywhere in one of the members. A word of one or two Latin letters or digits only matches the beginning of words.
         *     - **tags** are compared exactly: `eq` and `contains` are true if the record has the tag, `in` if it has one of them, `exists` if it has any.
         *     - **externalRefs** are compared exactly, as `NAMESPACE:ID`: `eq` is true if the record has the reference, `in` if it has one of them, `prefix` if it has one of a namespace, such as `hubspot:`, `exists` if it has any.
         *     - **Ids** of the record and of others are compared exactly; `gt` and `lt` use their order. `etag` is compared exactly and sorted by version.
         *     - **Timestamps** are ISO 8601 with an offset, or a date, which means its midnight in UTC.
         *     - **Null** only matches `exists: false`. It sorts after all values, and with `desc` before them: `desc` is the exact reverse of `asc`.
         *     - **sort**: earlier fields take precedence, and `id` breaks ties, in the direction of the last field. Without `sort`, results are ordered by `createdUtc`, also with a `query`.
         *     - **Limits**: 20 conditions, 100 values of `in`, 2,048 characters per value, 10 fields to sort by.
         *     - **cursor** and **page_size** (1 to 500, default 50) are members of the body. A cursor belongs to one query, filter and sort. A record that a change moves in the order between two pages may be missed or listed twice; sort by `createdUtc` or `id` where that matters.
         *
         *      Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's timeline
         * @description The changes and notes of the contact, newest first. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["contacts.listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List companies
         * @description Companies ordered by creation or, with `updated_since`, those that changed since then. There are no totals; a page costs the same at any depth. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["companies.list"];
        put?: never;
        /**
         * Create a company
         * @description Needs a `name`. Unless `force=true`, the domain of another company, or its name (without case, accents and legal form) and country, is rejected with 409, which lists the candidates. Emits `company.created`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a company
         * @description With `If-None-Match`, 304 while the company is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["companies.get"];
        put?: never;
        post?: never;
        /**
         * Delete a company
         * @description Deltas list its tombstone for 90 days, and other records can take its external references. Its links are deleted, too, and its files 30 days later; the `primaryCompanyId` of its contacts is cleared. It is removed from the lists of all projects that are not closed (`prospect.updated` with the action `removed` for each); closed projects keep it. Emits `company.deleted`. Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["companies.delete"];
        options?: never;
        head?: never;
        /**
         * Update a company
         * @description A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. Emits `company.updated`. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["companies.update"];
        trace?: never;
    };
    "/api/v1/network/companies/batch/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get up to 100 companies
         * @description One receipt for each id, in the order of the request: `found` with the company, or `missing`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.batchGet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update up to 100 companies
         * @description A company is found by `id`, or else by one of its external references. An item patches the record that it finds, and otherwise creates one. Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Sending the same items again answers `unchanged` for all of them and emits no events. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.batchUpsert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 companies
         * @description One receipt for each id, in the order of the request. An id without a record does not affect the others; its receipt says `missing`. Its links are deleted, too, and its files 30 days later; the `primaryCompanyId` of its contacts is cleared. It is removed from the lists of all projects that are not closed (`prospect.updated` with the action `removed` for each); closed projects keep it. Emits `company.deleted` for each. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.batchDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies:search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search companies
         * @description Finds companies by words and by their members. `query` is searched in name, legal name, domain and homepage.
         *
         *     Conditions combine with AND, as do several operators on one member. A search finds living records only and returns no totals. A page costs the same at any depth.
         *
         *     - **Text** is compared without case and accents in `query`, filters and sorts: `muller` equals `Müller`, `strasse` equals `Straße`. `eq` and `in` compare the whole text. `%`, `_` and `\` are ordinary characters. `gt`, `gte`, `lt`, `lte` and sorts compare the code points of the first 200 characters.
         *     - **query** finds records that contain all of its words (at most 10, of 200 characters together), each anywhere in one of the members. A word of one or two Latin letters or digits only matches the beginning of words.
         *     - **tags** are compared exactly: `eq` and `contains` are true if the record has the tag, `in` if it has one of them, `exists` if it has any.
         *     - **externalRefs** are compared exactly, as `NAMESPACE:ID`: `eq` is true if the record has the reference, `in` if it has one of them, `prefix` if it has one of a namespace, such as `hubspot:`, `exists` if it has any.
         *     - **Ids** of the record and of others are compared exactly; `gt` and `lt` use their order. `etag` is compared exactly and sorted by version.
         *     - **Timestamps** are ISO 8601 with an offset, or a date, which means its midnight in UTC.
         *     - **Null** only matches `exists: false`. It sorts after all values, and with `desc` before them: `desc` is the exact reverse of `asc`.
         *     - **sort**: earlier fields take precedence, and `id` breaks ties, in the direction of the last field. Without `sort`, results are ordered by `createdUtc`, also with a `query`.
         *     - **Limits**: 20 conditions, 100 values of `in`, 2,048 characters per value, 10 fields to sort by.
         *     - **cursor** and **page_size** (1 to 500, default 50) are members of the body. A cursor belongs to one query, filter and sort. A record that a change moves in the order between two pages may be missed or listed twice; sort by `createdUtc` or `id` where that matters.
         *
         *      Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a company's timeline
         * @description The changes and notes of the company, newest first. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["companies.listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links
         * @description Links ordered by creation or, with `updated_since`, those that changed since then. There are no totals; a page costs the same at any depth. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["links.list"];
        put?: never;
        /**
         * Create a link
         * @description A contact and a company have one link: a second one is rejected with 409 and the first as its candidate. Creating a link that was deleted restores it with its id and `changeType: "restored"`. Emits `link.created`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["links.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link
         * @description With `If-None-Match`, 304 while the link is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["links.get"];
        put?: never;
        post?: never;
        /**
         * Delete a link
         * @description Deltas list its tombstone for 90 days, and other records can take its external references. Emits `link.deleted`. Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["links.delete"];
        options?: never;
        head?: never;
        /**
         * Update a link
         * @description A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. Emits `link.updated`. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["links.update"];
        trace?: never;
    };
    "/api/v1/network/links/batch/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get up to 100 links
         * @description One receipt for each id, in the order of the request: `found` with the link, or `missing`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["links.batchGet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/links/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update up to 100 links
         * @description A link is found by `id`, or else by one of its external references, or else by its contact and company. An item patches the record that it finds, and otherwise creates one. Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Sending the same items again answers `unchanged` for all of them and emits no events. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["links.batchUpsert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/links/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 links
         * @description One receipt for each id, in the order of the request. An id without a record does not affect the others; its receipt says `missing`. Emits `link.deleted` for each. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["links.batchDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/companies/find-duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find duplicates of a company
         * @description Finds companies of the network with the same domain, LinkedIn page or a similar name. It changes nothing. Names are similar if they have the same words: legal forms, accents, case, `&` or `and`, and word order are ignored, and long words may differ by one or two letters. Numbers and short words must be equal. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.findDuplicates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge contacts into one
         * @description Merges the contacts in `from` into this one. It keeps its own members and takes over their links, prospects, timelines with notes, files and external references (after its own, at most 20 in all). If two links then join the same contact and company, the one of this contact, or else the oldest, survives: it takes over the external references of the others and, if it has no `jobTitle`, the oldest of theirs. The others are deleted.
         *
         *     Their prospects, on projects in any state, become prospects of this one, without an event. If several are on one project, a prospect on the list survives before a removed one, then that of this contact, then the oldest: it takes over tasks, notes, timelines, external references (at most 20 in all), project tags (after its own, at most 50 in all), the highest stage that was reached, and the access of the others, and keeps its classification, interest, owner and stage override. The others are deleted.
         *
         *     Reads of a merged id, and of paths below it, answer 301 with the same path of this contact; writes answer 409 `merged`. Deltas list the merged contacts as tombstones. A contact that was merged into one of them earlier redirects here, too.
         *
         *     The merge is atomic: `errors` lists every id that cannot be merged. Repeating a merge without `If-Match` answers 200 and changes nothing, so it needs no `Idempotency-Key`. Preview it with `Prefer: dry-run`. Emits `contact.updated` for this one and `contact.deleted` for each merged one, with the action `merged` (`to` is this one's id), and `link.updated` or `link.deleted` for each link of theirs, and `prospect.deleted` with the action `merged` (`to` is the id of the survivor) for each deleted prospect. A surviving prospect on the list emits a `prospect.updated` for a higher stage and one for new project tags. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.merge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge companies into one
         * @description Merges the companies in `from` into this one. It keeps its own members and takes over their links, prospects, timelines with notes, files and external references (after its own, at most 20 in all), and becomes the primary company of their contacts. If two links then join the same contact and company, the one of this company, or else the oldest, survives: it takes over the external references of the others and, if it has no `jobTitle`, the oldest of theirs. The others are deleted.
         *
         *     Their prospects, on projects in any state, become prospects of this one, without an event. If several are on one project, a prospect on the list survives before a removed one, then that of this company, then the oldest: it takes over tasks, notes, timelines, external references (at most 20 in all), project tags (after its own, at most 50 in all), the highest stage that was reached, and the access of the others, and keeps its classification, interest, owner and stage override. The others are deleted.
         *
         *     Reads of a merged id, and of paths below it, answer 301 with the same path of this company; writes answer 409 `merged`. Deltas list the merged companies as tombstones. A company that was merged into one of them earlier redirects here, too.
         *
         *     The merge is atomic: `errors` lists every id that cannot be merged. Repeating a merge without `If-Match` answers 200 and changes nothing, so it needs no `Idempotency-Key`. Preview it with `Prefer: dry-run`. Emits `company.updated` for this one and `company.deleted` for each merged one, with the action `merged` (`to` is this one's id), and `link.updated` or `link.deleted` for each link of theirs, and `contact.updated` for each contact whose `primaryCompanyId` changes, and `prospect.deleted` with the action `merged` (`to` is the id of the survivor) for each deleted prospect. A surviving prospect on the list emits a `prospect.updated` for a higher stage and one for new project tags. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.merge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/{id}/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's projects
         * @description The projects that have the contact on their list of prospects, ordered by creation, each with the classification of the contact. Projects from whose list it was removed are left out. Both filters combine. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["contacts.listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/{id}/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a company's projects
         * @description The projects that have the company on their list of prospects, ordered by creation, each with the classification of the company. Projects from whose list it was removed are left out. Both filters combine. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["companies.listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes on a contact
         * @description The notes of the contact itself, newest first. Archived and superseded ones are included on request only. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["contacts.listNotes"];
        put?: never;
        /**
         * Add a note to a contact
         * @description Adds the note to the contact's timeline. Emits `note.created`. The contact keeps its ETag. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/contacts/{id}/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a note on a contact
         * @description Returns the note, even if it is archived or superseded. With `If-None-Match`, returns 304 while the note is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["contacts.getNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Archive, unarchive or supersede a note on a contact
         * @description `archive` hides the note from the timeline, and `unarchive` shows it again; an action that changes nothing returns 204 with the same ETag. `supersede` replaces the note by a new revision, dated now and in the name of the caller. `Location` is the path of the revision, which inherits the members that are left out; the replaced note remains as history. Archived and superseded are two independent marks: only an active note can be superseded, and a superseded note can be archived, but not unarchived. `Idempotency-Key` has no effect, because `If-Match` already prevents a second execution. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["contacts.updateNote"];
        trace?: never;
    };
    "/api/v1/network/companies/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes on a company
         * @description The notes of the company itself, newest first. Archived and superseded ones are included on request only. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["companies.listNotes"];
        put?: never;
        /**
         * Add a note to a company
         * @description Adds the note to the company's timeline. Emits `note.created`. The company keeps its ETag. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/{id}/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a note on a company
         * @description Returns the note, even if it is archived or superseded. With `If-None-Match`, returns 304 while the note is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["companies.getNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Archive, unarchive or supersede a note on a company
         * @description `archive` hides the note from the timeline, and `unarchive` shows it again; an action that changes nothing returns 204 with the same ETag. `supersede` replaces the note by a new revision, dated now and in the name of the caller. `Location` is the path of the revision, which inherits the members that are left out; the replaced note remains as history. Archived and superseded are two independent marks: only an active note can be superseded, and a superseded note can be archived, but not unarchived. `Idempotency-Key` has no effect, because `If-Match` already prevents a second execution. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["companies.updateNote"];
        trace?: never;
    };
    "/api/v1/network/contacts/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files on a contact
         * @description Lists files in the order of their upload, without their contents. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["contacts.listFiles"];
        put?: never;
        /**
         * Add a file to a contact
         * @description Send one file of at most 104,857,600 bytes (413) in the field `file`. The service stores it while it arrives, and keeps nothing of an upload that does not complete. A pause of a minute ends the upload (408). With `Idempotency-Key`, two requests are the same if name, type and content are. Adds a row to the record's timeline and emits an event (both `file.uploaded`). The record keeps its ETag. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["contacts.uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/network/companies/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files on a company
         * @description Lists files in the order of their upload, without their contents. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["companies.listFiles"];
        put?: never;
        /**
         * Add a file to a company
         * @description Send one file of at most 104,857,600 bytes (413) in the field `file`. The service stores it while it arrives, and keeps nothing of an upload that does not complete. A pause of a minute ends the upload (408). With `Idempotency-Key`, two requests are the same if name, type and content are. Adds a row to the record's timeline and emits an event (both `file.uploaded`). The record keeps its ETag. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["companies.uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files on a property
         * @description Lists files in the order of their upload, without their contents. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.listFiles"];
        put?: never;
        /**
         * Add a file to a property
         * @description Send one file of at most 104,857,600 bytes (413) in the field `file`. The service stores it while it arrives, and keeps nothing of an upload that does not complete. A pause of a minute ends the upload (408). With `Idempotency-Key`, two requests are the same if name, type and content are. Adds a row to the record's timeline and emits an event (both `file.uploaded`). The record keeps its ETag. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["properties.uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file
         * @description Returns the file without its content. Brokers read the files of their team, and the files of a deleted record for another 30 days; broker and investor read what they shared with each other, and investors what is in a room to which they have access. Needs the `broker` or the `investor` capability and an active membership of the team.
         */
        get: operations["files.get"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Deletes the file permanently, without a tombstone. Adds a row to the record's timeline (`file.deleted`). Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["files.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Returns the content as an attachment, to those who can read the file. With `Range`, returns one range (206), or 416 with the size in `Content-Range` if the range begins after the end. A request for several ranges gets the whole content. With a matching `If-None-Match`, returns 304. Needs the `broker` or the `investor` capability and an active membership of the team.
         */
        get: operations["files.download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List properties
         * @description Properties ordered by creation or, with `updated_since`, those that changed since then. There are no totals; a page costs the same at any depth. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.list"];
        put?: never;
        /**
         * Create a property
         * @description Needs a `name`. Amounts are exact decimals with their unit, and are never computed from each other; rents are those of a year. Emits `property.created`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["properties.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a property
         * @description With `If-None-Match`, 304 while the property is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.get"];
        put?: never;
        post?: never;
        /**
         * Delete a property
         * @description Deltas list its tombstone for 90 days, and other records can take its external references. A property on a project that is not closed is rejected with 409, which names the projects, unless `force=true`. It is taken off the `propertyIds` of all its projects, closed ones included (`project.updated` for each), and its files are deleted 30 days later. Emits `property.deleted`. Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["properties.delete"];
        options?: never;
        head?: never;
        /**
         * Update a property
         * @description A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. Emits `property.updated`. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["properties.update"];
        trace?: never;
    };
    "/api/v1/properties/batch/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get up to 100 properties
         * @description One receipt for each id, in the order of the request: `found` with the property, or `missing`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["properties.batchGet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update up to 100 properties
         * @description A property is found by `id`, or else by one of its external references. An item patches the record that it finds, and otherwise creates one. Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Sending the same items again answers `unchanged` for all of them and emits no events. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["properties.batchUpsert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 properties
         * @description One receipt for each id, in the order of the request. An id without a record does not affect the others; its receipt says `missing`. A property on a project that is not closed is rejected with 409, which names the projects, unless `force=true`. It is taken off the `propertyIds` of all its projects, closed ones included (`project.updated` for each), and its files are deleted 30 days later. Emits `property.deleted` for each. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["properties.batchDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties:search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search properties
         * @description Finds properties by words and by their members. `query` is searched in the name and the address.
         *
         *     Conditions combine with AND, as do several operators on one member. A search finds living records only and returns no totals. A page costs the same at any depth.
         *
         *     - **Text** is compared without case and accents in `query`, filters and sorts: `muller` equals `Müller`, `strasse` equals `Straße`. `eq` and `in` compare the whole text. `%`, `_` and `\` are ordinary characters. `gt`, `gte`, `lt`, `lte` and sorts compare the code points of the first 200 characters.
         *     - **query** finds records that contain all of its words (at most 10, of 200 characters together), each anywhere in one of the members. A word of one or two Latin letters or digits only matches the beginning of words.
         *     - **tags** are compared exactly: `eq` and `contains` are true if the record has the tag, `in` if it has one of them, `exists` if it has any.
         *     - **externalRefs** are compared exactly, as `NAMESPACE:ID`: `eq` is true if the record has the reference, `in` if it has one of them, `prefix` if it has one of a namespace, such as `hubspot:`, `exists` if it has any.
         *     - **Ids** of the record and of others are compared exactly; `gt` and `lt` use their order. `etag` is compared exactly and sorted by version.
         *     - **Numbers** are compared exactly. An area, an amount of money, a percentage and a number of years are compared by their `value`; where there are amounts in several currencies, filter by the currency, too, such as `pricing.askingPrice.currency`. `true` sorts after `false`. Members inside of an object are named with a dot, such as `income.vacancyRate`.
         *     - **Timestamps** are ISO 8601 with an offset, or a date, which means its midnight in UTC.
         *     - **Null** only matches `exists: false`. It sorts after all values, and with `desc` before them: `desc` is the exact reverse of `asc`.
         *     - **sort**: earlier fields take precedence, and `id` breaks ties, in the direction of the last field. Without `sort`, results are ordered by `createdUtc`, also with a `query`.
         *     - **Limits**: 20 conditions, 100 values of `in`, 2,048 characters per value, 10 fields to sort by.
         *     - **cursor** and **page_size** (1 to 500, default 50) are members of the body. A cursor belongs to one query, filter and sort. A record that a change moves in the order between two pages may be missed or listed twice; sort by `createdUtc` or `id` where that matters.
         *
         *      Needs the `broker` capability and an active membership of the team.
         */
        post: operations["properties.search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a property's timeline
         * @description The changes, notes and files of the property, newest first. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Projects ordered by creation or, with `updated_since`, those that changed since then. There are no totals; a page costs the same at any depth. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["projects.list"];
        put?: never;
        /**
         * Create a project
         * @description The project is a draft until it is published, its teaser is communicated, or an investor gets access to one of its rooms. Without `ownerId` it has no owner. `mandate` is the former name of `exclusivity`: values for both are rejected with 422, even if they are equal; if one of them is null, the other one is used. Emits `project.created`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["projects.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description With `If-None-Match`, 304 while the project is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["projects.get"];
        put?: never;
        post?: never;
        /**
         * Delete a project
         * @description Deletes the project with its prospects and all their external references; within 30 days, all of it can be restored. A project whose teaser was communicated, or to one of whose rooms an investor has access, is rejected with 409: close it instead. Deltas list its tombstone for 90 days. Emits `prospect.deleted` for each prospect, and `project.deleted`. Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["projects.delete"];
        options?: never;
        head?: never;
        /**
         * Update a project
         * @description A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. `mandate` and `exclusivity` are one value, as on a create: leave `mandate` out of a project that you send back. Emits `project.updated`. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["projects.update"];
        trace?: never;
    };
    "/api/v1/projects/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a project
         * @description Within 30 days of its deletion, restores the project with its prospects and external references. If another resource has taken one of these references, nothing is restored. Emits `project.restored`. Deltas list the restored prospects with `changeType: "restored"`; one whose contact or company was merged in the meantime may have been merged into another prospect. Those whose contact or company was deleted in the meantime are restored as removed from the list, each with `prospect.updated` and the action `removed`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["projects.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a project
         * @description Its history stays. Closing a closed project changes nothing. Emits `project.updated`, with the action `closed`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["projects.close"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a project
         * @description Reopening an open project changes nothing. Prospects whose contact or company was deleted in the meantime are removed from the list. Emits `project.updated`, with the action `reopened`, and for each removed prospect `prospect.updated` with the action `removed`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["projects.reopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's properties
         * @description The properties that the project is about, those of its `propertyIds`, ordered by creation. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["projects.listProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's timeline
         * @description The changes and notes of the project, its prospects and its rooms, newest first. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["projects.listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prospects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prospects of all projects
         * @description The prospects on the lists of all projects, as one list and one delta, with the filters of a project's list and `project_id`. With `include_deleted`, prospects that were deleted, alone or with their project, or removed from their list are included as tombstones, whatever the filters except `external_ref` and `project_id`; a later delta lists restored ones again. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["prospects.listAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/prospects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a prospect by its id alone
         * @description The same answer and ETag as below its project, whose id is `projectId`. With `If-None-Match`, 304 while it is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["prospects.getById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's prospects
         * @description All prospects on the list, with or without a teaser, ordered by creation or, with `updated_since`, those that changed since then. All filters combine; a page costs the same at any depth. With `include_deleted`, prospects that were deleted or removed from the list are included as tombstones, whatever the filters (except `external_ref`, which finds no deleted ones); a later delta lists a restored one again. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["prospects.list"];
        put?: never;
        /**
         * Add a prospect
         * @description Adds a contact or company to the list. An investor that is already on the list is rejected with 409 and the id of its prospect. A removed prospect is restored with its id, history and members, updated by the members that are sent. Emits `prospect.created` with the action `added`, or `prospect.updated` with `restored`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["prospects.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add up to 100 prospects
         * @description Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. One receipt for each item, in the order of the request. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["prospects.batchCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update, restore or add up to 100 prospects
         * @description An item means the prospect with its `id`, or else with one of its `externalRefs`, or else with its `contactId` or `companyId`. That prospect is patched, and one that was removed is restored first (`restored`); if there is none, the contact or company is added (`created`). Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Emits what the single requests would. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["prospects.batchUpsert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/classify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Classify up to 100 prospects
         * @description Classifications can change in any direction. `bidder` also records the interest `interested`. A `note` is added to each prospect as a note with its own id and ETag, to which the `prospect.classified` row of the timeline refers. A prospect that cannot be classified does not affect the others. Emits `prospect.updated` with the action `classified` for each whose classification changes, and with `interest_changed` where `bidder` changes the interest. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["prospects.classify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a prospect
         * @description A prospect that was removed from the list is answered with `removedUtc`. With `If-None-Match`, 304 while it is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["prospects.get"];
        put?: never;
        post?: never;
        /**
         * Delete a prospect
         * @description Deletes the prospect permanently: a later GET answers 404, and the same investor can be added again as a new prospect. To be able to restore it, remove it from the list instead. Deltas list its tombstone for 90 days, and other prospects can take its external references. Emits `prospect.deleted`. Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["prospects.delete"];
        options?: never;
        head?: never;
        /**
         * Update a prospect
         * @description A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. A classification never lowers the stage or clears the interest; `bidder` records the interest `interested`, unless the same request sends `interest`. `interest` and `stage` take precedence over the classification. Emits one `prospect.updated` for each of: classification (action `classified`), interest (`interest_changed`), stage (`stage_overridden`), project tags and external references (`changed_fields`). Owner and expiry emit `prospect.owner_changed` and `prospect.access_expiry_changed` only. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["prospects.update"];
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a prospect from the list
         * @description The prospect keeps its id, timeline, notes, tasks and all members, and can be read by its id. `restore`, or adding the investor again, restores it; until then, it can be deleted, and other changes answer 409 `prospect_removed`. Removing it again answers 204 and changes nothing. Emits `prospect.updated` with the action `removed`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["prospects.remove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a removed prospect back on the list
         * @description Restores the prospect unchanged. A prospect on the list answers 409, and so does one whose contact or company was deleted. Emits `prospect.updated` with the action `restored`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["prospects.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/stage-override": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw the override of the stage
         * @description The stage is derived from milestones again, and `stageOverride` is left out. Answers 204 even without an override. Emits `prospect.updated` with the action `stage_overridden` if there was one. Needs the `broker` capability and an active membership of the team.
         */
        delete: operations["prospects.deleteStageOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a prospect's timeline
         * @description The changes and notes of the prospect, newest first, with the rows of its contact or company, which are marked by `subject` and `subjectId`. A classification with a comment is listed both as a note and as an audit row; `details.noteId` is the id of the note with the text. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["prospects.listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the follow-up tasks of all projects
         * @description Open, completed and canceled tasks of all prospects, ordered by creation or, with `updated_since`, those that changed since then. All filters combine. The tasks of a prospect that was removed from its list are included, as in the prospect's own list; those of a deleted prospect or project are tombstones, which `include_deleted` lists whatever the filters except `project_id`, and come back when the project is restored. A delta does not list a task for becoming overdue: compare `dueDateUtc`. Nor does it list one that no longer meets a filter: to keep a filtered copy, filter what an unfiltered delta lists. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["tasks.listAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a prospect's follow-up tasks
         * @description Open, completed and canceled tasks, ordered by creation; `status` filters them. The tasks of a prospect that was removed from the list are included. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["tasks.list"];
        put?: never;
        /**
         * Add a follow-up task to a prospect
         * @description The task is open. Its due date is a day in UTC; a task with a past one is overdue. An `assignee` who is not an active member of the team is rejected with `invalid_reference`. Updates `nextTask`, `openTaskCount`, `updatedUtc` and the ETag of the prospect, and adds a row `prospect.task_added` to its timeline, which is an event of the same name, with `changed_fields`. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["tasks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a follow-up task
         * @description With `If-None-Match`, 304 while the task is unchanged. When it becomes overdue, its ETag changes; `updatedUtc` stays. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["tasks.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a follow-up task
         * @description A merge patch of an open task; a completed or canceled one is refused (`task_move_refused`). A patch that changes nothing answers 200 with the same ETag. Updates `nextTask`, `updatedUtc` and the ETag of the prospect where its answer changes, and adds a row `prospect.task_updated` with `details.changedFields` to its timeline, which is an event of the same name. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["tasks.update"];
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/tasks/{taskId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a follow-up task
         * @description Records that the caller completed it now. Completing a completed task changes nothing (204); a canceled one is refused. Updates `nextTask`, `openTaskCount`, `updatedUtc` and the ETag of the prospect, and adds a row to its timeline, which is an event of the same name (`prospect.task_completed` …). A task of another prospect answers 404. `If-Match` has no effect. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["tasks.complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/tasks/{taskId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a follow-up task
         * @description Canceling a canceled task changes nothing (204); a completed one is refused: reopen it first. Updates `nextTask`, `openTaskCount`, `updatedUtc` and the ETag of the prospect, and adds a row to its timeline, which is an event of the same name (`prospect.task_completed` …). A task of another prospect answers 404. `If-Match` has no effect. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["tasks.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/tasks/{taskId}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a follow-up task
         * @description Reopens a completed task. An open or canceled one is refused. Updates `nextTask`, `openTaskCount`, `updatedUtc` and the ETag of the prospect, and adds a row to its timeline, which is an event of the same name (`prospect.task_completed` …). A task of another prospect answers 404. `If-Match` has no effect. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["tasks.reopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/rooms/{roomId}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the questions of a room
         * @description Ordered by their numbers or, with `updated_since`, those that changed since then. All filters combine. A question is never deleted by itself: it goes with its project, and comes back when that is restored. A delta does not list a question for becoming overdue: compare `dueUtc`. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["questions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/rooms/{roomId}/questions/{questionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a question
         * @description With `If-None-Match`, 304 while the question is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["questions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a question
         * @description A merge patch of its category, priority and assignee. A patch that changes nothing answers 200 with the same ETag; any other one of a closed question is refused (`question_move_refused`). Adds a row `room.question_updated` with `details.changedFields` to the timelines of the room's project and of the asker, which is an event of the same name. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["questions.update"];
        trace?: never;
    };
    "/api/v1/projects/{projectId}/rooms/{roomId}/questions/{questionId}/draft-answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Draft the answer to a question
         * @description Replaces the draft; an open question becomes `drafted`. A draft is internal and never sent: answers are published by `question answer` on the command line, and reach investors in their own words. The draft that is there already changes nothing. Refused once the answer was published or the question was closed (`question_move_refused`). Adds a row `room.answer_drafted`, without the text, to the timelines of the room's project and of the asker, which is an event of the same name. Needs the `broker` capability and an active membership of the team.
         */
        put: operations["questions.draftAnswer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes on a property
         * @description The notes of the property itself, newest first. Archived and superseded ones are included on request only. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.listNotes"];
        put?: never;
        /**
         * Add a note to a property
         * @description Adds the note to the property's timeline. Emits `note.created`. The property keeps its ETag. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["properties.addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{id}/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a note on a property
         * @description Returns the note, even if it is archived or superseded. With `If-None-Match`, returns 304 while the note is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.getNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Archive, unarchive or supersede a note on a property
         * @description `archive` hides the note from the timeline, and `unarchive` shows it again; an action that changes nothing returns 204 with the same ETag. `supersede` replaces the note by a new revision, dated now and in the name of the caller. `Location` is the path of the revision, which inherits the members that are left out; the replaced note remains as history. Archived and superseded are two independent marks: only an active note can be superseded, and a superseded note can be archived, but not unarchived. `Idempotency-Key` has no effect, because `If-Match` already prevents a second execution. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["properties.updateNote"];
        trace?: never;
    };
    "/api/v1/projects/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes on a project
         * @description The notes of the project itself, newest first. Archived and superseded ones are included on request only. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["projects.listNotes"];
        put?: never;
        /**
         * Add a note to a project
         * @description Adds the note to the project's timeline. Emits `note.created`. The project keeps its ETag. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["projects.addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a note on a project
         * @description Returns the note, even if it is archived or superseded. With `If-None-Match`, returns 304 while the note is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["projects.getNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Archive, unarchive or supersede a note on a project
         * @description `archive` hides the note from the timeline, and `unarchive` shows it again; an action that changes nothing returns 204 with the same ETag. `supersede` replaces the note by a new revision, dated now and in the name of the caller. `Location` is the path of the revision, which inherits the members that are left out; the replaced note remains as history. Archived and superseded are two independent marks: only an active note can be superseded, and a superseded note can be archived, but not unarchived. `Idempotency-Key` has no effect, because `If-Match` already prevents a second execution. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["projects.updateNote"];
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes on a prospect
         * @description The notes of the prospect itself, newest first. Archived and superseded ones are included on request only. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["prospects.listNotes"];
        put?: never;
        /**
         * Add a note to a prospect
         * @description Adds the note to the prospect's timeline. Emits `note.created`. The prospect's `noteCount` and ETag change. The project keeps its ETag, and its timeline shows the note as a roll-up. Needs the `broker` capability and an active membership of the team.
         */
        post: operations["prospects.addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/prospects/{id}/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a note on a prospect
         * @description Returns the note, even if it is archived or superseded. With `If-None-Match`, returns 304 while the note is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["prospects.getNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Archive, unarchive or supersede a note on a prospect
         * @description `archive` hides the note from the timeline, and `unarchive` shows it again; an action that changes nothing returns 204 with the same ETag. `supersede` replaces the note by a new revision, dated now and in the name of the caller. `Location` is the path of the revision, which inherits the members that are left out; the replaced note remains as history. Archived and superseded are two independent marks: only an active note can be superseded, and a superseded note can be archived, but not unarchived. `Idempotency-Key` has no effect, because `If-Match` already prevents a second execution. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["prospects.updateNote"];
        trace?: never;
    };
    "/api/v1/projects/{projectId}/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's data rooms
         * @description All rooms of the project, closed ones too, ordered by creation. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["rooms.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/rooms/{roomId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a data room
         * @description The room with its questions in short (`qa`). With `If-None-Match`, 304 while the room is unchanged. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["rooms.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/teaser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the teaser of a project
         * @description How far the teaser is, what it shows, and `projection`, which is all that investors see. Of several properties, it shows sums of areas and prices, ranges of years and yields, and places as far as all agree. Before the first PATCH, the stage is `property_added`. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["projects.getTeaser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the teaser of a project
         * @description A merge patch; the first one creates the teaser, as `drafting`. What was communicated to investors stays what it was. While a project is closed, its teaser and those of its rooms do not change. Adds a row `teaser.updated` to the timeline, which is an event of the same name. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["projects.updateTeaser"];
        trace?: never;
    };
    "/api/v1/properties/{id}/teaser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the teaser of a property
         * @description How far the teaser is, what it shows, and `projection`, which is all that investors see. Before the first PATCH, the stage is `property_added`, with the nudge `no_pre_market_yet`. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.getTeaser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the teaser of a property
         * @description A merge patch; the first one creates the teaser, as `drafting`. What was communicated to investors stays what it was. While a project is closed, its teaser and those of its rooms do not change. Adds a row `teaser.updated` to the timeline, which is an event of the same name. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["properties.updateTeaser"];
        trace?: never;
    };
    "/api/v1/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offers
         * @description The offers of the team, the newest first. There are no totals; a page costs the same at any depth. A list does not mark offers as read. Needs the `investor` capability and an active membership of the team.
         */
        get: operations["offers.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an offer
         * @description One offer, removed or not. The first read sets `readUtc` and emits `offer.updated` with the action `read`. The ETag changes with everything that the answer shows, also with the access to a room and with the team's mandates. With `If-None-Match`, 304 while it is unchanged. Needs the `investor` capability and an active membership of the team.
         */
        get: operations["offers.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offers/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an offer's timeline
         * @description What happened, newest first: when the offer was received, read, answered and changed, access to rooms, documents and answers that were published to the team, shared files, and messages without their text. Rows have no `subject` and no `etag`. A row of the broker's side has no actor until the offer is accepted, and afterwards the name of the broker contact. There are no notes and no rolled-up rows, so `include_rollups`, `include_archived` and `include_superseded` change nothing. A page can have fewer rows than `page_size`: read on while `hasMore` is true. Needs the `investor` capability and an active membership of the team.
         */
        get: operations["offers.listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectId}/rooms/{roomId}/teaser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the teaser of a data room
         * @description How far the teaser is, what it shows, and `projection`, which is all that investors see. Before the first PATCH, it is the teaser of the project, with the nudge `room_teaser_not_designed`. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["rooms.getTeaser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the teaser of a data room
         * @description A merge patch; the first one creates the teaser, as `drafting`. What was communicated to investors stays what it was. While a project is closed, its teaser and those of its rooms do not change. Adds a row `teaser.updated` to the timeline, which is an event of the same name. Needs the `broker` capability and an active membership of the team.
         */
        patch: operations["rooms.updateTeaser"];
        trace?: never;
    };
    "/api/v1/mandates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List mandates
         * @description Mandates ordered by creation or, with `updated_since`, those that changed since then. There are no totals; a page costs the same at any depth. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        get: operations["mandates.list"];
        put?: never;
        /**
         * Create a mandate
         * @description Needs a `name`. The place has at most one mode: `geography`, `near` with `radius`, or `location`, a name that the service resolves; the answer says in `resolvedLocation` what it was resolved to. `country` alone means the whole country, and a mandate with neither wants any place. Emits `mandate.created`. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        post: operations["mandates.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mandates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a mandate
         * @description With `If-None-Match`, 304 while the mandate is unchanged. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        get: operations["mandates.get"];
        put?: never;
        post?: never;
        /**
         * Delete a mandate
         * @description Deltas list its tombstone for 90 days, and other records can take its external references. Emits `mandate.deleted`. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        delete: operations["mandates.delete"];
        options?: never;
        head?: never;
        /**
         * Update a mandate
         * @description A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. Emits `mandate.updated`. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        patch: operations["mandates.update"];
        trace?: never;
    };
    "/api/v1/mandates/batch/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get up to 100 mandates
         * @description One receipt for each id, in the order of the request: `found` with the mandate, or `missing`. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        post: operations["mandates.batchGet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mandates/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update up to 100 mandates
         * @description A mandate is found by `id`, or else by one of its external references. An item patches the record that it finds, and otherwise creates one. Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Sending the same items again answers `unchanged` for all of them and emits no events. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        post: operations["mandates.batchUpsert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mandates/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 mandates
         * @description One receipt for each id, in the order of the request. An id without a record does not affect the others; its receipt says `missing`. Emits `mandate.deleted` for each. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        post: operations["mandates.batchDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mandates/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search mandates by place
         * @description Finds the mandates whose place meets the searched one; touching counts. Mandates without a place are found, too, with `match: "anywhere"`.
         *
         *     - **Modes**: `geography`, `near` with `radius`, or `location`. Two are `geography_conflict`; none is 400.
         *     - **Exact**: everything that meets is found, and nothing else. For circles, the tolerance is 0.1% of the radius. Areas are compared on the sphere, across the antimeridian and at the poles, too.
         *     - **Status**: by default active mandates whose `validUntilUtc` has not passed.
         *     - **categories** and **tags**: a mandate that leaves them open is found. One with a searched tag among its `negativeTags` is not.
         *     - **Order**: by id, which is that of creation. A page that would take too long ends early, with fewer rows than `page_size`, even none: read on while `hasMore` is true. There are no totals.
         *
         *      Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        post: operations["mandates.search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mandates/{id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a mandate's timeline
         * @description The changes of the mandate, newest first. Needs the `investor` capability, approved or only requested, or the approved `broker` capability, and an active membership of the team.
         */
        get: operations["mandates.listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{id}/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mandates that want a property
         * @description The team's active mandates that want the property and whose `validUntilUtc` has not passed, with the reasons.
         *
         *     The score begins at 100. A criterion with the result `failed` takes its points off, one with `partly` half of them; `met` and `unknown` cost nothing. The score is never below 0.
         *
         *     - **Excluded**, so never listed: a match of which `country`, `geography`, `categories` or `negativeTags` failed.
         *     - **Points**: `investmentSize` 60, `lettableArea` 40, `lifecycleStages` 40, `subcategories` 30, `tenures` 30, `dealStructures` 30, `netInitialYield` 30, `pricePerSqm` 30, `wault` 20, `vacancyRate` 20, `yearBuilt` 20, `parcelArea` 20, `zoningGfa` 20, `unitCount` 20, `worstEnergyClass` 20, `conversions` 20, `positiveTags` 20.
         *     - **unknown**: the mandate or the property leaves it open, or the two cannot be compared: another currency, the energy scale of another country.
         *     - **partly**: outside of the range, but within a tenth of the end that is missed (`yearBuilt`: within 5 years); one energy class worse; some of the `positiveTags`.
         *     - **Lists of codes**: one in common is enough; a deal structure `either` fits each. One of the `negativeTags` fails.
         *     - **Compared with**: `investmentSize` with `pricing.askingPrice`; `pricePerSqm` with the asking price by `lettableArea`; `zoningGfa` with `zoning.gfa`; `netInitialYield` with that of `pricing`; `vacancyRate` with that of `income`; `wault` with `income.waultToBreak`, or else `waultToExpiry`; `worstEnergyClass` with `energy.class`; `geography` with `coordinates`; the others with the member of the same name. `riskProfiles` and `targetIrr` are not compared: properties do not have them.
         *
         *     **Order**: by score, the best first; those of one score by creation. Each page compares again and goes on after the last match of the page before: of a match whose score changes meanwhile, you may miss one or see it twice, of others you do not. A page can have fewer rows than `page_size`, even none: read on while `hasMore` is true. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["properties.listMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mandates/{id}/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the properties that fit a mandate
         * @description The team's properties that fit the mandate, with the reasons: the same matches as from the property's side. A mandate that is not active, or whose `validUntilUtc` has passed, has none.
         *
         *     The score begins at 100. A criterion with the result `failed` takes its points off, one with `partly` half of them; `met` and `unknown` cost nothing. The score is never below 0.
         *
         *     - **Excluded**, so never listed: a match of which `country`, `geography`, `categories` or `negativeTags` failed.
         *     - **Points**: `investmentSize` 60, `lettableArea` 40, `lifecycleStages` 40, `subcategories` 30, `tenures` 30, `dealStructures` 30, `netInitialYield` 30, `pricePerSqm` 30, `wault` 20, `vacancyRate` 20, `yearBuilt` 20, `parcelArea` 20, `zoningGfa` 20, `unitCount` 20, `worstEnergyClass` 20, `conversions` 20, `positiveTags` 20.
         *     - **unknown**: the mandate or the property leaves it open, or the two cannot be compared: another currency, the energy scale of another country.
         *     - **partly**: outside of the range, but within a tenth of the end that is missed (`yearBuilt`: within 5 years); one energy class worse; some of the `positiveTags`.
         *     - **Lists of codes**: one in common is enough; a deal structure `either` fits each. One of the `negativeTags` fails.
         *     - **Compared with**: `investmentSize` with `pricing.askingPrice`; `pricePerSqm` with the asking price by `lettableArea`; `zoningGfa` with `zoning.gfa`; `netInitialYield` with that of `pricing`; `vacancyRate` with that of `income`; `wault` with `income.waultToBreak`, or else `waultToExpiry`; `worstEnergyClass` with `energy.class`; `geography` with `coordinates`; the others with the member of the same name. `riskProfiles` and `targetIrr` are not compared: properties do not have them.
         *
         *     **Order**: by score, the best first; those of one score by creation. Each page compares again and goes on after the last match of the page before: of a match whose score changes meanwhile, you may miss one or see it twice, of others you do not. A page can have fewer rows than `page_size`, even none: read on while `hasMore` is true. Needs the `broker` capability and an active membership of the team.
         */
        get: operations["mandates.listMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description The team's webhooks in the order of their creation. Needs an active membership of the team, and no capability.
         */
        get: operations["webhooks.list"];
        put?: never;
        /**
         * Create a webhook
         * @description The response contains the `secret` that signs deliveries (Standard Webhooks). It is not shown again, except for a repeated request with the same `Idempotency-Key`. A team may have 20 webhooks. A forbidden URL is refused with a fault at `/url` whose code is `not_https`, `credentials`, `fragment`, `forbidden_address` or `malformed`. Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`.
         */
        post: operations["webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description With `If-None-Match`, responds with 304 while the webhook is unchanged. The secret is not shown. Needs an active membership of the team, and no capability.
         */
        get: operations["webhooks.get"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Nothing more is sent to the webhook, including deliveries that wait. Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`.
         */
        delete: operations["webhooks.delete"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description A merge patch. A change of `events` affects new events only; a change of `url` applies from the next attempt. `status` pauses or activates the webhook; activating it sends the deliveries that wait and resets the count of exhausted deliveries. Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`.
         */
        patch: operations["webhooks.update"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a webhook's secret
         * @description The response contains the new `secret`, which is not shown again. Without a body, the previous secrets end at once. With `overlap`, the previous secret continues to sign for that time, and earlier ones until their own ends; `webhook-signature` then has one entry for each, the newest first. At most 5 secrets sign at a time: beyond that, the earlier secrets that would end first end now. `previousSecretsExpireUtc` is the time of the last end. Every request creates another secret, even a repeated one: if a response is lost, repeat the request with an `overlap`, so that the secret of your receiver stays valid. The new secret signs from the next attempt, including attempts of deliveries that already wait. Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`.
         */
        post: operations["webhooks.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends one signed sample event to the webhook's URL at once, and responds when the receiver has, after at most 10 seconds. The sample has the members of a real event of its type and `_test: true`; the request has the header `X-Service-Test: true`. Its resource does not exist. If the receiver refuses the event, the response is still 200, with `success: false`. The service stores nothing, so `Prefer: dry-run` has no effect: the test does not appear in the delivery log and is not retried, a failure does not count, and a 410 does not disable the webhook. The webhook must be active; otherwise the response is 409 `webhook_not_active`. A service whose operator has turned webhooks off, such as a copy for tests, responds with 409 `webhooks_off`. Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`.
         */
        post: operations["webhooks.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries
         * @description The delivery log, newest first. Deliveries appear shortly after the change that caused them. All filters must match; `created_after` is inclusive and `created_before` is exclusive, so adjoining spans neither overlap nor leave gaps. Deliveries are kept for 30 days; those that wait because their webhook is paused or disabled, for 90. Needs an active membership of the team, and no capability.
         */
        get: operations["webhooks.listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description One delivery with its request, and every attempt with the time and the response of the receiver. Needs an active membership of the team, and no capability.
         */
        get: operations["webhooks.getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Queues a delivery again, even a delivered one: the same message with the same `webhook-id`, sent at once, with nine new attempts. A `pending` delivery stays as it is. The webhook must be active. Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`.
         */
        post: operations["webhooks.retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay failed deliveries
         * @description Queues the `failed` and `exhausted` deliveries again that were created at `since` or later, the oldest first, at most 100 at a time: the same messages with the same `webhook-id`, sent at once, with nine new attempts each. Pass `next_since` as `since` of the next call. The webhook must be active. Needs an active membership of the team, with the role `admin` or the `broker` capability. Other callers get 403 `capability_required`.
         */
        post: operations["webhooks.replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the journal
         * @description Returns the team's events in order, with the members of the webhook payload. Events are numbered 1, 2, 3 and so on, without gaps. No event ever appears before one that was already returned, so a client that passes on `nextAfter` misses nothing and sees each event once. While a change is being written, changes that began after it are held back until it ends. Changes are ordered by when they began: of two overlapping changes of one resource, the later one in the journal may have been written first. An event says what happened; read the resource for its current state.
         *
         *     Keep `page.nextAfter` and pass it as `after`: immediately while `hasMore` is true, later when it is not. With `types`, a request looks at a bounded number of events, so a page may be short or empty while `hasMore` is true.
         *
         *     Events are kept for 90 days. An older `after`, or one greater than any number so far (the database was restored to an earlier state), is 410 `resync_required`; `detail` says where to continue.
         *
         *     To begin with what happens from now on, pass `after=latest`, keep `nextAfter`, and then read the lists. Needs an active membership of the team, and no capability.
         */
        get: operations["changes.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an access token
         * @description RFC 6749. With client credentials, the token is valid for an hour and acts as the client's bot; there is no refresh token. With an authorization code or a refresh token, it acts for the person who granted it, with PKCE (RFC 7636). Send each parameter once, in the form and not in the query. No token is needed.
         */
        post: operations["oauth.issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an access token
         * @description RFC 7009. Revokes one of the client's own tokens, with immediate effect. Any other text gets the same answer and has no effect. No token is needed.
         */
        post: operations["oauth.revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Introspect an access token
         * @description RFC 7662. Describes one of the client's own tokens. Any other text answers `{"active": false}`. No token is needed.
         */
        post: operations["oauth.introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the authorization server's metadata
         * @description RFC 8414: the token endpoints, and how clients authenticate there. No token is needed.
         */
        get: operations["oauth.getServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the protected resource's metadata
         * @description RFC 9728: which authorization server the API trusts. No token is needed.
         */
        get: operations["oauth.getResourceMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the MCP endpoint's metadata
         * @description RFC 9728: which authorization server `/mcp` trusts, and the `resource` that its tokens are for. No token is needed.
         */
        get: operations["oauth.getMcpResourceMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was created */
        post: operations["events.contactCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was changed */
        post: operations["events.contactUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was deleted */
        post: operations["events.contactDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A company was created */
        post: operations["events.companyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A company was changed */
        post: operations["events.companyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A company was deleted */
        post: operations["events.companyDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A link was created, or a deleted one came back */
        post: operations["events.linkCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A link was changed */
        post: operations["events.linkUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "link.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A link was deleted */
        post: operations["events.linkDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A property was created */
        post: operations["events.propertyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A property was changed */
        post: operations["events.propertyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A property was deleted */
        post: operations["events.propertyDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A project was created */
        post: operations["events.projectCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A project was changed */
        post: operations["events.projectUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A project was deleted */
        post: operations["events.projectDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deleted project was restored */
        post: operations["events.projectRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "prospect.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An investor was put on a list */
        post: operations["events.prospectCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "prospect.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The classification, interest, stage, project tags or external references of a prospect changed, or it left or re-entered the list */
        post: operations["events.prospectUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "prospect.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A prospect was deleted, by itself, with its project or by a merge */
        post: operations["events.prospectDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "mandate.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A mandate was created */
        post: operations["events.mandateCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "mandate.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A mandate was changed, or moved to another contact or company by a merge */
        post: operations["events.mandateUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "mandate.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A mandate was deleted */
        post: operations["events.mandateDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The team received an offer, or an invitation to a data room */
        post: operations["events.offerCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "offer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An offer of the team changed */
        post: operations["events.offerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "teaser.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A teaser was published */
        post: operations["events.teaserPublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "teaser.communicated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A teaser was communicated to investors */
        post: operations["events.teaserCommunicated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    further: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Something further happened */
        post: operations["events.further"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description What every refusal has (RFC 9457). Programs tell refusals apart by `code`; the texts may change. */
        ProblemDetails: {
            /**
             * Format: uri
             * @description The address of a page that explains the problem.
             * @example http://localhost:3000/help/invalid-request
             */
            type: string;
            /**
             * @description The kind of problem, for people.
             * @example The request is not valid.
             */
            title: string;
            /**
             * @description The status code of the response.
             * @example 400
             */
            status: number;
            /**
             * @description The reason of the refusal, for programs.
             * @example invalid_request
             */
            code: string;
            /**
             * @description What was refused, and what to do about it, for people.
             * @example The request is not valid.
             */
            detail: string;
            /**
             * @description The request's id, to quote when asking for help.
             * @example req_0b9e6ad1c0f84d0a9d1f3f0f6a4f7c11
             */
            requestId: string;
        };
        /** @description The request is not valid. */
        InvalidRequest: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "invalid_request";
            errors: components["schemas"]["Fault"][];
            /**
             * @description How many more faults there are than `errors` lists, which are at most 20. Absent if there are none.
             * @example 3
             */
            moreErrors?: number;
            /** @enum {integer} */
            status: 400;
        };
        Fault: {
            /**
             * @description The part of the request.
             * @enum {string}
             */
            in: "body" | "query" | "path" | "header";
            /**
             * @description A JSON Pointer to the member of the body, or `/` and the name of the parameter or header.
             * @example /email
             */
            pointer: string;
            /**
             * @description What is wrong, for programs.
             * @example too_long
             */
            code: string;
            /**
             * @description What is wrong, for people.
             * @example Must have at most 320 characters.
             */
            detail: string;
            /** @description On `location_ambiguous` and `location_unknown`: the places that may be meant; empty if there are none. */
            candidates?: components["schemas"]["LocationCandidate"][];
        };
        /** @description A place that may be meant. */
        LocationCandidate: {
            /**
             * @description A text that means this place and no other.
             * @example Frankfurt (Oder)
             */
            location: string;
            /** @example Frankfurt (Oder) */
            name: string;
            /**
             * @description `city`, `region`, `country` or `group`.
             * @example city
             */
            kind: string;
            country: string | null;
            region: string | null;
        };
        /** @description RFC 9728 metadata. */
        ProtectedResourceMetadata: {
            /**
             * @description The base URL, or for the MCP endpoint its address.
             * @example https://api.example.com
             */
            resource: string;
            /** @example Property Network */
            resource_name: string;
            /**
             * @example [
             *       "https://api.example.com"
             *     ]
             */
            authorization_servers: string[];
            /**
             * @example [
             *       "api:public"
             *     ]
             */
            scopes_supported: string[];
            /**
             * @example [
             *       "header"
             *     ]
             */
            bearer_methods_supported: string[];
        };
        /** @description RFC 8414 metadata. */
        AuthorizationServerMetadata: {
            /**
             * @description The base URL.
             * @example https://api.example.com
             */
            issuer: string;
            /** @example https://api.example.com/openid/authorize */
            authorization_endpoint: string;
            /** @example https://api.example.com/openid/token */
            token_endpoint: string;
            /**
             * @example [
             *       "client_secret_basic"
             *     ]
             */
            token_endpoint_auth_methods_supported: string[];
            /** @example https://api.example.com/openid/revoke */
            revocation_endpoint: string;
            /**
             * @example [
             *       "client_secret_basic"
             *     ]
             */
            revocation_endpoint_auth_methods_supported: string[];
            /** @example https://api.example.com/openid/introspect */
            introspection_endpoint: string;
            /**
             * @example [
             *       "client_secret_basic"
             *     ]
             */
            introspection_endpoint_auth_methods_supported: string[];
            /**
             * @example [
             *       "client_credentials"
             *     ]
             */
            grant_types_supported: string[];
            /**
             * @example [
             *       "code"
             *     ]
             */
            response_types_supported: string[];
            /**
             * @example [
             *       "S256"
             *     ]
             */
            code_challenge_methods_supported: string[];
            /** @example true */
            authorization_response_iss_parameter_supported: boolean;
            /**
             * @description Whether a `client_id` may be the URL of a document that describes the app.
             * @example true
             */
            client_id_metadata_document_supported: boolean;
            /**
             * @description Where apps register themselves (RFC 7591), if the operator allows it.
             * @example https://api.example.com/openid/register
             */
            registration_endpoint?: string;
            /**
             * @example [
             *       "api:public"
             *     ]
             */
            scopes_supported: string[];
        };
        /** @description The service is temporarily unavailable. */
        Unavailable: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "unavailable";
            /** @enum {integer} */
            status: 503;
        };
        /** @description The service failed unexpectedly. */
        InternalError: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "internal_error";
            /** @enum {integer} */
            status: 500;
        };
        /** @description `invalid_client`: the credentials are missing or wrong. The response has `WWW-Authenticate: Basic` if the request used Basic. */
        OAuthClientError: {
            /**
             * @description The reason of the refusal, for programs.
             * @example invalid_request
             * @enum {string}
             */
            error: "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope" | "invalid_target" | "rate_limited";
            /**
             * @description The reason of the refusal, for people.
             * @example grant_type is required.
             */
            error_description: string;
        };
        /** @description An error as RFC 6749 defines it. */
        OAuthError: {
            /**
             * @description The reason of the refusal, for programs.
             * @example invalid_request
             * @enum {string}
             */
            error: "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope" | "invalid_target" | "rate_limited";
            /**
             * @description The reason of the refusal, for people.
             * @example grant_type is required.
             */
            error_description: string;
        };
        /** @description The state of a token. */
        Introspection: {
            /**
             * @description Whether the token is valid and was issued to the client that asks.
             * @example true
             */
            active: boolean;
            /**
             * @description The scopes of the token.
             * @example api:public
             */
            scope?: string;
            /**
             * @description The client, or the app: its id, which for some apps is a URL.
             * @example client_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            client_id?: string;
            /**
             * @description The type of the token.
             * @example Bearer
             */
            token_type?: string;
            /**
             * @description An opaque identifier: `user_` and 26 characters.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            sub?: string;
            /**
             * @description The issuer of the token.
             * @example https://api.example.com
             */
            iss?: string;
            /**
             * @description An opaque identifier: `token_` and 26 characters.
             * @example token_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            jti?: string;
            /**
             * @description The time of issue, in Unix seconds.
             * @example 1795253400
             */
            iat?: number;
            /**
             * @description The expiry, in Unix seconds.
             * @example 1795257000
             */
            exp?: number;
        };
        TokenQuestion: {
            /**
             * @description An access token of this client.
             * @example pna_…
             */
            token: string;
            /**
             * @description Accepted and ignored.
             * @example access_token
             */
            token_type_hint?: string;
            /**
             * @description Required together with `client_secret` if the request has no Basic authorization.
             * @example client_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            client_id?: string;
            /**
             * @description The secret from the creation of the client.
             * @example pns_…
             */
            client_secret?: string;
        };
        /** @description A new access token. */
        IssuedToken: {
            /**
             * @description The token, for `Authorization: Bearer`.
             * @example pna_…
             */
            access_token: string;
            /**
             * @description The type of the token.
             * @example Bearer
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * @description Seconds until it expires.
             * @example 3600
             */
            expires_in: number;
            /**
             * @description The scopes of the token.
             * @example api:public
             */
            scope: string;
            /**
             * @description With the scope `offline_access`: for new tokens. It replaces the one that was sent.
             * @example pnr_…
             */
            refresh_token?: string;
        };
        TokenRequest: {
            /**
             * @description `client_credentials`, `authorization_code` or `refresh_token`.
             * @example client_credentials
             */
            grant_type: string;
            /**
             * @description Scopes, separated by spaces. Defaults to all scopes of the client, or to those that the person granted. A refresh may ask for fewer.
             * @example api:public
             */
            scope?: string;
            /**
             * @description With `authorization_code`: the code. It is valid for a minute and once.
             * @example pnc_…
             */
            code?: string;
            /**
             * @description With `authorization_code`: the redirect URI of the authorization request.
             * @example https://radar.example.com/callback
             */
            redirect_uri?: string;
            /**
             * @description With `authorization_code`: the verifier of PKCE.
             * @example dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
             */
            code_verifier?: string;
            /**
             * @description With `refresh_token`: the refresh token.
             * @example pnr_…
             */
            refresh_token?: string;
            /**
             * @description What the tokens are for (RFC 8707), if it is named: as in the authorization request.
             * @example https://api.example.com
             */
            resource?: string;
            /**
             * @description Required together with `client_secret` if the request has no Basic authorization.
             * @example client_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            client_id?: string;
            /**
             * @description The secret from the creation of the client.
             * @example pns_…
             */
            client_secret?: string;
        };
        /** @description Too many requests. */
        RateLimited: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "rate_limited";
            /** @enum {integer} */
            status: 429;
        };
        /** @description The caller has not joined the team yet. */
        MembershipPending: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "membership_pending";
            /** @enum {integer} */
            status: 403;
        };
        /** @description The caller lacks a required capability. */
        CapabilityRequired: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "capability_required";
            /**
             * @description The required capability.
             * @enum {string}
             */
            capability: "broker" | "investor";
            /** @enum {integer} */
            status: 403;
        };
        /** @description The token does not allow this. */
        InsufficientScope: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "insufficient_scope";
            /** @enum {integer} */
            status: 403;
        };
        /** @description A valid access token is required. */
        Unauthorized: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "unauthorized";
            /** @enum {integer} */
            status: 401;
        };
        /** @description Changes that far back are no longer kept. */
        ResyncRequired: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "resync_required";
            /** @enum {integer} */
            status: 410;
        };
        /** @description A page of the journal. */
        JournalPage: {
            data: components["schemas"]["JournalEntry"][];
            page: {
                /**
                 * @description The `after` of the next request: the number of the last event that this request looked at, whether or not `types` includes it.
                 * @example 1042
                 */
                nextAfter: number;
                /**
                 * @description The requested page size.
                 * @example 50
                 */
                pageSize: number;
                /**
                 * @description Whether more events can be read now. A short or empty page may have more after it.
                 * @example false
                 */
                hasMore: boolean;
            };
        };
        /**
         * @description An event of the journal: its number, and the members of the webhook payload. Only some event types have the members after `change_initiator`. More members may be added.
         * @example {
         *       "seq": 1042,
         *       "event": "contact.updated",
         *       "resource_type": "contact",
         *       "resource_id": "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "timestamp": "2026-11-21T09:30:00.000Z",
         *       "action_id": 4711,
         *       "actor_user_id": "user_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "change_initiator": null,
         *       "changed_fields": [
         *         "email",
         *         "phone"
         *       ]
         *     }
         */
        JournalEntry: {
            /**
             * @description The event's number in the team's journal: 1, 2, 3 and so on, without gaps.
             * @example 1042
             */
            seq: number;
            /**
             * @description The type of the event. Known values: `contact.created`, `contact.updated`, `contact.deleted`, `company.created`, `company.updated`, `company.deleted`, `link.created`, `link.updated`, `link.deleted`, `property.created`, `property.updated`, `property.deleted`, `project.created`, `project.updated`, `project.deleted`, `project.restored`, `prospect.created`, `prospect.updated`, `prospect.deleted`, `mandate.created`, `mandate.updated`, `mandate.deleted`, `offer.created`, `offer.updated`, `teaser.published`, `teaser.communicated`, `project.closed`, `project.reopened`, `project.communicated`, `prospect.removed`, `prospect.restored`, `prospect.teaser_communicated`, `prospect.im_shared`, `prospect.room_access_granted`, `prospect.bid_recorded`, `prospect.accepted`, `prospect.rejected`, `prospect.classified`, `prospect.interest_changed`, `prospect.stage_overridden`, `prospect.stage_override_withdrawn`, `prospect.project_tags_changed`, `prospect.external_refs_changed`, `prospect.owner_changed`, `prospect.access_expiry_changed`, `prospect.task_added`, `prospect.task_updated`, `prospect.task_completed`, `prospect.task_canceled`, `prospect.task_reopened`, `prospect.message_sent`, `prospect.file_shared`, `prospect.call_logged`, `teaser.updated`, `teaser.unpublished`, `teaser.verified`, `teaser.unverified`, `offer.read`, `offer.accepted`, `offer.rejected`, `offer.expired`, `offer.removed`, `offer.restored`, `offer.closed`, `room.opened`, `room.updated`, `room.winding_down`, `room.reopened`, `room.closed`, `room.access_granted`, `room.access_revoked`, `room.access_expired`, `room.file_uploaded`, `room.question_asked`, `room.question_updated`, `room.answer_drafted`, `room.question_answered`, `room.question_closed`, `note.created`, `note.superseded`, `note.archived`, `note.unarchived`, `file.uploaded`, `file.deleted`, `webhook.failing`, `webhook.disabled`. Later versions may add more.
             * @example contact.created
             */
            event: string;
            /**
             * @description The type of the resource: the part of `event` before the dot. Known values: `contact`, `company`, `link`, `property`, `project`, `prospect`, `mandate`, `teaser`, `offer`, `room`, `note`, `file`, `webhook`. Later versions may add more.
             * @example contact
             */
            resource_type: string;
            /**
             * @description The id of the resource.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            resource_id: string;
            /**
             * Format: date-time
             * @description When it happened: ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description A number from a sequence, unique to this event. A request that emits several events draws one for each.
             * @example 4711
             */
            action_id: number;
            /** @description The user who made the change; null when no user did. */
            actor_user_id: string | null;
            /** @description The OAuth client that made the change; null if it was made with a personal access token, by the operator or by the service. */
            change_initiator: {
                /**
                 * @description What made the change. Known values: `oauth_client`. Later versions may add more.
                 * @example oauth_client
                 */
                type: string;
                /**
                 * @description An opaque identifier: `client_` and 26 characters.
                 * @example client_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                client_id: string;
            } | null;
            /**
             * @description The names of the changed fields, on updates and on events that say which member changed. Null if `action` tells what changed.
             * @example [
             *       "email",
             *       "phone"
             *     ]
             */
            changed_fields?: string[] | null;
            /** @description What happened; absent if `event` and `changed_fields` tell it. */
            action?: {
                /**
                 * @description The kind of action.
                 * @example merged
                 */
                type: string;
                /** @description The previous classification, interest or stage of a prospect; absent if there was none. */
                from?: string;
                /**
                 * @description The new classification, interest or stage of a prospect; absent if it was cleared. The id of the record that this one was merged into, or of the note that replaced this one.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                to?: string;
                /**
                 * @description The note that was written with the change.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                note_id?: string;
                /**
                 * @description Why the service disabled a webhook. Known values: `receiver_gone`, `deliveries_exhausted`. Later versions may add more.
                 * @example receiver_gone
                 */
                reason?: string;
            };
            /**
             * @description Prospects, and what belongs to one or to a project: the project.
             * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            project_id?: string;
            /**
             * @description Notes on a prospect: the prospect.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            prospect_id?: string;
            /**
             * @description Follow-up tasks: the task.
             * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            task_id?: string;
            /**
             * @description Links: the contact. Prospects and mandates: the contact that is the investor, if it is one. Notes and files: the contact that they belong to.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contact_id?: string;
            /**
             * @description Links: the company. Prospects and mandates: the company that is the investor, if it is one. Notes and files: the company that they belong to.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            company_id?: string;
            /**
             * @description Notes, files and teasers: the property that they belong to.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            property_id?: string;
            /**
             * @description Teasers of a data room: the room.
             * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            room_id?: string;
            /**
             * @description Questions in a data room: the question.
             * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            question_id?: string;
            /** @description Deletions of projects and prospects only: the external references that the resource had when it was deleted. */
            external_refs?: {
                /** @example crm */
                namespace: string;
                /** @example 4711 */
                id: string;
            }[];
            /** @description The event from which this one follows; absent on what was requested itself. */
            caused_by?: {
                /**
                 * @description The type of that event. Known values: `contact.created`, `contact.updated`, `contact.deleted`, `company.created`, `company.updated`, `company.deleted`, `link.created`, `link.updated`, `link.deleted`, `property.created`, `property.updated`, `property.deleted`, `project.created`, `project.updated`, `project.deleted`, `project.restored`, `prospect.created`, `prospect.updated`, `prospect.deleted`, `mandate.created`, `mandate.updated`, `mandate.deleted`, `offer.created`, `offer.updated`, `teaser.published`, `teaser.communicated`, `project.closed`, `project.reopened`, `project.communicated`, `prospect.removed`, `prospect.restored`, `prospect.teaser_communicated`, `prospect.im_shared`, `prospect.room_access_granted`, `prospect.bid_recorded`, `prospect.accepted`, `prospect.rejected`, `prospect.classified`, `prospect.interest_changed`, `prospect.stage_overridden`, `prospect.stage_override_withdrawn`, `prospect.project_tags_changed`, `prospect.external_refs_changed`, `prospect.owner_changed`, `prospect.access_expiry_changed`, `prospect.task_added`, `prospect.task_updated`, `prospect.task_completed`, `prospect.task_canceled`, `prospect.task_reopened`, `prospect.message_sent`, `prospect.file_shared`, `prospect.call_logged`, `teaser.updated`, `teaser.unpublished`, `teaser.verified`, `teaser.unverified`, `offer.read`, `offer.accepted`, `offer.rejected`, `offer.expired`, `offer.removed`, `offer.restored`, `offer.closed`, `room.opened`, `room.updated`, `room.winding_down`, `room.reopened`, `room.closed`, `room.access_granted`, `room.access_revoked`, `room.access_expired`, `room.file_uploaded`, `room.question_asked`, `room.question_updated`, `room.answer_drafted`, `room.question_answered`, `room.question_closed`, `note.created`, `note.superseded`, `note.archived`, `note.unarchived`, `file.uploaded`, `file.deleted`, `webhook.failing`, `webhook.disabled`. Later versions may add more.
                 * @example contact.created
                 */
                event: string;
                /**
                 * @description The id of its resource.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                resource_id: string;
            };
        };
        /** @description The webhook is not active. */
        WebhookNotActive: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "webhook_not_active";
            /**
             * @description The current status of the webhook. Known values: `paused`, `disabled`. Later versions may add more.
             * @example paused
             */
            webhookStatus: string;
            /** @enum {integer} */
            status: 409;
        };
        /** @description The body is too large. */
        PayloadTooLarge: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "payload_too_large";
            /** @enum {integer} */
            status: 413;
        };
        /** @description The media type of the body is not supported. */
        UnsupportedMediaType: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "unsupported_media_type";
            /** @enum {integer} */
            status: 415;
        };
        /** @description Not found. */
        NotFound: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "not_found";
            /** @enum {integer} */
            status: 404;
        };
        /** @description The body is not well-formed JSON. */
        MalformedJson: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "malformed_json";
            /** @enum {integer} */
            status: 400;
        };
        /** @description The result of a replay. */
        WebhookReplayed: {
            /**
             * @description How many deliveries were queued again.
             * @example 100
             */
            replayed_count: number;
            /**
             * @description How many failed and exhausted deliveries remain, counted up to 10000.
             * @example 12
             */
            remaining_count: number;
            /** @description The `since` of the next replay; null if nothing remains. */
            next_since: string | null;
            /**
             * @description A summary of the result.
             * @example 100 deliveries were queued. 12 remain: continue with since=2026-11-21T09:31:07.250Z.
             */
            message: string;
        };
        /** @description Which failed deliveries to queue again. */
        WebhookReplay: {
            /**
             * @description Deliveries that were created at this moment or later.
             * @example 2026-11-21T09:30:00.000Z
             */
            since: string;
        };
        /** @description Another change came first. */
        ConcurrencyConflict: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "concurrency_conflict";
            /**
             * @description The resource's ETag after the other change, quotes included; null if the resource is gone or has none.
             * @example "v4"
             */
            currentEtag: string | null;
            /** @enum {integer} */
            status: 409;
        };
        /** @description One event for one webhook, with the result of its attempts. */
        WebhookDelivery: {
            /**
             * @description An opaque identifier: `dlv_` and 26 characters.
             * @example dlv_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The id of the message, as in the `webhook-id` header. It is the same on every attempt.
             * @example msg_2KWPBgLlAfxdpx2AI54pPJ85f4W
             */
            eventId: string;
            /**
             * @description The type of the event. Known values: `contact.created`, `contact.updated`, `contact.deleted`, `company.created`, `company.updated`, `company.deleted`, `link.created`, `link.updated`, `link.deleted`, `property.created`, `property.updated`, `property.deleted`, `project.created`, `project.updated`, `project.deleted`, `project.restored`, `prospect.created`, `prospect.updated`, `prospect.deleted`, `mandate.created`, `mandate.updated`, `mandate.deleted`, `offer.created`, `offer.updated`, `teaser.published`, `teaser.communicated`, `project.closed`, `project.reopened`, `project.communicated`, `prospect.removed`, `prospect.restored`, `prospect.teaser_communicated`, `prospect.im_shared`, `prospect.room_access_granted`, `prospect.bid_recorded`, `prospect.accepted`, `prospect.rejected`, `prospect.classified`, `prospect.interest_changed`, `prospect.stage_overridden`, `prospect.stage_override_withdrawn`, `prospect.project_tags_changed`, `prospect.external_refs_changed`, `prospect.owner_changed`, `prospect.access_expiry_changed`, `prospect.task_added`, `prospect.task_updated`, `prospect.task_completed`, `prospect.task_canceled`, `prospect.task_reopened`, `prospect.message_sent`, `prospect.file_shared`, `prospect.call_logged`, `teaser.updated`, `teaser.unpublished`, `teaser.verified`, `teaser.unverified`, `offer.read`, `offer.accepted`, `offer.rejected`, `offer.expired`, `offer.removed`, `offer.restored`, `offer.closed`, `room.opened`, `room.updated`, `room.winding_down`, `room.reopened`, `room.closed`, `room.access_granted`, `room.access_revoked`, `room.access_expired`, `room.file_uploaded`, `room.question_asked`, `room.question_updated`, `room.answer_drafted`, `room.question_answered`, `room.question_closed`, `note.created`, `note.superseded`, `note.archived`, `note.unarchived`, `file.uploaded`, `file.deleted`, `webhook.failing`, `webhook.disabled`. Later versions may add more.
             * @example contact.created
             */
            eventType: string;
            /**
             * @description `pending`: it waits for its first attempt that the service can make, or was queued again. `failed`: the latest attempt failed; another follows if `nextAttemptUtc` is set. `exhausted`: all nine attempts failed. Known values: `pending`, `delivered`, `failed`, `exhausted`. Later versions may add more.
             * @example pending
             */
            status: string;
            /**
             * @description The number of attempts since the delivery was created or last queued again.
             * @example 1
             */
            attemptCount: number;
            /**
             * @description When the next attempt is due. It may lie in the past while other deliveries are sent first. Null if no attempt follows, or none before the webhook is active again.
             * @example null
             */
            nextAttemptUtc: string | null;
            /** @description When the latest attempt began. */
            lastAttemptUtc: string | null;
            /**
             * @description The HTTP status of the latest attempt; null if the receiver did not respond.
             * @example 204
             */
            lastStatusCode: number | null;
            /**
             * @description Why the latest attempt failed; null if it did not. If the service itself was at fault, the attempt counts for nothing, and is made again within minutes.
             * @example null
             */
            lastError: string | null;
            /**
             * @description How long the latest attempt took, in milliseconds; null if the service could not make it.
             * @example 42
             */
            lastDurationMs: number | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /** @description When the receiver accepted it; null until then. */
            deliveredUtc: string | null;
        };
        /** @description A delivery with its request and its attempts. */
        WebhookDeliveryDetails: components["schemas"]["WebhookDelivery"] & {
            /** @description The request to the receiver. */
            request: {
                /**
                 * @description The headers of the latest attempt. Before the first attempt, the headers that do not depend on its time.
                 * @example {
                 *       "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
                 *       "X-Service-Event": "contact.created"
                 *     }
                 */
                headers: {
                    [key: string]: string;
                };
                /**
                 * @description The body of every attempt, byte for byte.
                 * @example {"event":"contact.created"}
                 */
                body: string;
            };
            /** @description The attempts, the oldest first. If there are more than 100, the latest 100. */
            attempts: components["schemas"]["WebhookDeliveryAttempt"][];
        };
        /** @description One request to the receiver, and its response. */
        WebhookDeliveryAttempt: {
            /**
             * @description The number of the attempt, from 1. A replay or retry does not reset it. Numbers of attempts that the service could not make are left out.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @description When the attempt began.
             * @example 2026-11-21T09:30:00.000Z
             */
            startedUtc: string;
            /**
             * @description How long it took, in milliseconds.
             * @example 42
             */
            durationMs: number;
            /**
             * @description The HTTP status of the response; null if there was none.
             * @example 204
             */
            statusCode: number | null;
            /**
             * @description Why the attempt failed; null if it did not.
             * @example null
             */
            error: string | null;
            responseHeaders: {
                [key: string]: string;
            } | null;
            /**
             * @description The first 4 KiB of the response body, as text; null if there was none.
             * @example ok
             */
            responseBody: string | null;
        };
        /** @description The cursor does not belong to this list. */
        InvalidCursor: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "invalid_cursor";
            /** @enum {integer} */
            status: 400;
        };
        /** @description A page of a list. */
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            page: components["schemas"]["PageInfo"];
        };
        PageInfo: {
            /**
             * @description Where the next page begins; null on the last page.
             * @example null
             */
            nextCursor: string | null;
            /**
             * @description The requested number of rows per page.
             * @example 50
             */
            pageSize: number;
            /**
             * @description Whether another page follows.
             * @example false
             */
            hasMore: boolean;
        };
        /** @description The resource has changed since it was read. */
        PreconditionFailed: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "precondition_failed";
            /**
             * @description The resource's current ETag, quotes included; null for an item of an upsert whose record does not exist any more.
             * @example "v4"
             */
            currentEtag: string | null;
            /** @enum {integer} */
            status: 412;
        };
        /** @description This service sends nothing to webhooks. */
        WebhooksOff: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "webhooks_off";
            /** @enum {integer} */
            status: 409;
        };
        /** @description The result of a test delivery. */
        WebhookTestResult: {
            /**
             * @description Whether the receiver responded with 2xx in time.
             * @example true
             */
            success: boolean;
            /**
             * @description The HTTP status of the response; null if there was none.
             * @example 204
             */
            status_code: number | null;
            /**
             * @description The duration of the request, in milliseconds.
             * @example 87
             */
            duration_ms: number;
            /**
             * @description Why the test failed, as a sentence; null on success.
             * @example null
             */
            error: string | null;
        };
        /** @description Which sample event to send. */
        WebhookTest: {
            /**
             * @description The type of the sample event, subscribed or not. Defaults to the first type that the webhook subscribes to.
             * @example contact.updated
             * @enum {string}
             */
            event_type?: "contact.created" | "contact.updated" | "contact.deleted" | "company.created" | "company.updated" | "company.deleted" | "link.created" | "link.updated" | "link.deleted" | "property.created" | "property.updated" | "property.deleted" | "project.created" | "project.updated" | "project.deleted" | "project.restored" | "prospect.created" | "prospect.updated" | "prospect.deleted" | "mandate.created" | "mandate.updated" | "mandate.deleted" | "offer.created" | "offer.updated" | "teaser.published" | "teaser.communicated" | "project.closed" | "project.reopened" | "project.communicated" | "prospect.removed" | "prospect.restored" | "prospect.teaser_communicated" | "prospect.im_shared" | "prospect.room_access_granted" | "prospect.bid_recorded" | "prospect.accepted" | "prospect.rejected" | "prospect.classified" | "prospect.interest_changed" | "prospect.stage_overridden" | "prospect.stage_override_withdrawn" | "prospect.project_tags_changed" | "prospect.external_refs_changed" | "prospect.owner_changed" | "prospect.access_expiry_changed" | "prospect.task_added" | "prospect.task_updated" | "prospect.task_completed" | "prospect.task_canceled" | "prospect.task_reopened" | "prospect.message_sent" | "prospect.file_shared" | "prospect.call_logged" | "teaser.updated" | "teaser.unpublished" | "teaser.verified" | "teaser.unverified" | "offer.read" | "offer.accepted" | "offer.rejected" | "offer.expired" | "offer.removed" | "offer.restored" | "offer.closed" | "room.opened" | "room.updated" | "room.winding_down" | "room.reopened" | "room.closed" | "room.access_granted" | "room.access_revoked" | "room.access_expired" | "room.file_uploaded" | "room.question_asked" | "room.question_updated" | "room.answer_drafted" | "room.question_answered" | "room.question_closed" | "note.created" | "note.superseded" | "note.archived" | "note.unarchived" | "file.uploaded" | "file.deleted" | "webhook.failing" | "webhook.disabled";
        };
        /** @description A webhook with its new secret, which is not shown again. */
        WebhookWithSecret: {
            /**
             * @description An opaque identifier: `webhook_` and 26 characters.
             * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description Where events are posted to: an https URL without credentials and fragment, on a public address. The service checks the address here and at every connection.
             * @example https://hooks.example.com/property-network
             */
            url: string;
            events: string[];
            /** @description A label. */
            name: string | null;
            /**
             * @description Deliveries are sent while the webhook is `active`. They wait while it is `paused` or `disabled`. Known values: `active`, `paused`, `disabled`. Later versions may add more.
             * @example active
             */
            status: string;
            /**
             * @description The key that signs deliveries: `whsec_` and base64 key material. Shown only when the webhook is created and when the secret is replaced, in responses with `Cache-Control: no-store`.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDUVFSW2vzHKA=
             */
            secret: string;
            /**
             * @description When the last replaced secret stops signing, or stopped; null if no secret was replaced with an overlap.
             * @example null
             */
            previousSecretsExpireUtc: string | null;
            /** @example null */
            disabledReason: string | null;
            /**
             * @description When the service disabled the webhook.
             * @example null
             */
            disabledUtc: string | null;
            /**
             * @description How many deliveries in a row have used up all their attempts. At 10, the service disables the webhook.
             * @example 0
             */
            consecutiveExhausted: number;
            health: components["schemas"]["WebhookHealth"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description How the receiver fares. It is not part of the ETag, and ignored in a PATCH. */
        WebhookHealth: {
            /**
             * @description `failing`: less than 95 % of the deliveries first attempted in the last 24 hours arrived, or the latest to end used up its attempts. `late`: an attempt has been due for more than a minute. `paused` and `disabled` as in `status`. Known values: `healthy`, `failing`, `late`, `paused`, `disabled`. Later versions may add more.
             * @example healthy
             */
            status: string;
            /**
             * @description How many of the deliveries first attempted in the last 24 hours arrived, by whole hours. Each counts once, so a replay of older deliveries adds nothing.
             * @example 128
             */
            delivered24h: number;
            /**
             * @description The 95th percentile of the durations of the attempts of the last 24 hours, in milliseconds, rounded up; null without attempts.
             * @example 85
             */
            p95Ms: number | null;
            /**
             * @description The latest failed attempt; null if none has failed.
             * @example null
             */
            lastFailure: {
                /**
                 * Format: date-time
                 * @description When the attempt began.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                utc: string;
                /**
                 * @description The HTTP status; null if the receiver did not respond.
                 * @example 503
                 */
                statusCode: number | null;
                /**
                 * @description Why it failed.
                 * @example The receiver answered 503.
                 */
                error: string | null;
            } | null;
        };
        /** @description How to replace the secret. */
        WebhookRotation: {
            /**
             * @description How long the previous secret continues to sign in addition to the new one: minutes (`m`), hours (`h`) or days (`d`), from `1m` to `7d`. Without it, all previous secrets end at once.
             * @example 24h
             */
            overlap?: string;
        };
        /** @description The subscription of a receiver to events, which are posted to its URL and signed. */
        Webhook: {
            /**
             * @description An opaque identifier: `webhook_` and 26 characters.
             * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description Where events are posted to: an https URL without credentials and fragment, on a public address. The service checks the address here and at every connection.
             * @example https://hooks.example.com/property-network
             */
            url: string;
            events: string[];
            /** @description A label. */
            name: string | null;
            /**
             * @description Deliveries are sent while the webhook is `active`. They wait while it is `paused` or `disabled`. Known values: `active`, `paused`, `disabled`. Later versions may add more.
             * @example active
             */
            status: string;
            /**
             * @deprecated
             * @description Never present here. Only the responses to the creation and to the replacement of the secret have it: see `WebhookWithSecret`.
             */
            secret?: string;
            /**
             * @description When the last replaced secret stops signing, or stopped; null if no secret was replaced with an overlap.
             * @example null
             */
            previousSecretsExpireUtc: string | null;
            /** @example null */
            disabledReason: string | null;
            /**
             * @description When the service disabled the webhook.
             * @example null
             */
            disabledUtc: string | null;
            /**
             * @description How many deliveries in a row have used up all their attempts. At 10, the service disables the webhook.
             * @example 0
             */
            consecutiveExhausted: number;
            health: components["schemas"]["WebhookHealth"];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent back with their current value. */
        WebhookPatch: {
            /** @description A label. */
            name?: string | null;
            /**
             * @description Where events are posted to: an https URL without credentials and fragment, on a public address. The service checks the address here and at every connection.
             * @example https://hooks.example.com/property-network
             */
            url?: string;
            /**
             * @description The types of events to send: names, all events of one type of resource (`prospect.*`), or everything (`*`). An event is sent once, even if several of them include it. A change affects new events only.
             * @example [
             *       "contact.created",
             *       "contact.updated"
             *     ]
             */
            events?: ("contact.created" | "contact.updated" | "contact.deleted" | "company.created" | "company.updated" | "company.deleted" | "link.created" | "link.updated" | "link.deleted" | "property.created" | "property.updated" | "property.deleted" | "project.created" | "project.updated" | "project.deleted" | "project.restored" | "prospect.created" | "prospect.updated" | "prospect.deleted" | "mandate.created" | "mandate.updated" | "mandate.deleted" | "offer.created" | "offer.updated" | "teaser.published" | "teaser.communicated" | "project.closed" | "project.reopened" | "project.communicated" | "prospect.removed" | "prospect.restored" | "prospect.teaser_communicated" | "prospect.im_shared" | "prospect.room_access_granted" | "prospect.bid_recorded" | "prospect.accepted" | "prospect.rejected" | "prospect.classified" | "prospect.interest_changed" | "prospect.stage_overridden" | "prospect.stage_override_withdrawn" | "prospect.project_tags_changed" | "prospect.external_refs_changed" | "prospect.owner_changed" | "prospect.access_expiry_changed" | "prospect.task_added" | "prospect.task_updated" | "prospect.task_completed" | "prospect.task_canceled" | "prospect.task_reopened" | "prospect.message_sent" | "prospect.file_shared" | "prospect.call_logged" | "teaser.updated" | "teaser.unpublished" | "teaser.verified" | "teaser.unverified" | "offer.read" | "offer.accepted" | "offer.rejected" | "offer.expired" | "offer.removed" | "offer.restored" | "offer.closed" | "room.opened" | "room.updated" | "room.winding_down" | "room.reopened" | "room.closed" | "room.access_granted" | "room.access_revoked" | "room.access_expired" | "room.file_uploaded" | "room.question_asked" | "room.question_updated" | "room.answer_drafted" | "room.question_answered" | "room.question_closed" | "note.created" | "note.superseded" | "note.archived" | "note.unarchived" | "file.uploaded" | "file.deleted" | "webhook.failing" | "webhook.disabled" | "*" | "contact.*" | "company.*" | "link.*" | "property.*" | "project.*" | "prospect.*" | "mandate.*" | "teaser.*" | "offer.*" | "room.*" | "note.*" | "file.*" | "webhook.*")[];
            /**
             * @description `paused` holds deliveries. `active` sends the deliveries that wait and resets the count of exhausted deliveries; it also ends `disabled`.
             * @enum {string}
             */
            status?: "active" | "paused";
        };
        /** @description This key was used before with another body. */
        IdempotencyKeyReused: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "idempotency_key_reused";
            /** @enum {integer} */
            status: 422;
        };
        /** @description The team has reached its limit of webhooks. */
        WebhookLimitReached: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "webhook_limit_reached";
            /**
             * @description How many webhooks a team may have.
             * @example 20
             */
            limit: number;
            /** @enum {integer} */
            status: 409;
        };
        /** @description A quota is used up. */
        QuotaExceeded: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "quota_exceeded";
            /**
             * @description What the quota bounds.
             * @example contacts
             * @enum {string}
             */
            quota: "contacts" | "companies" | "links" | "properties" | "projects" | "prospects" | "tasks" | "mandates" | "rooms" | "documents" | "questions" | "messages" | "file_bytes" | "stored_answer_bytes" | "links_of_record" | "notes_of_resource" | "tasks_of_prospect";
            /**
             * @description The number of rows or bytes that it allows; null if the quota is that of another team.
             * @example 5000000
             */
            limit: number | null;
            /**
             * @description How many there are; null if the quota is that of another team.
             * @example 5000000
             */
            used: number | null;
            /** @enum {integer} */
            status: 409;
        };
        /** @description The first request with this key is still running. */
        IdempotencyInProgress: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "idempotency_in_progress";
            /** @enum {integer} */
            status: 409;
        };
        /** @description A new webhook. It is active at once. */
        WebhookCreate: {
            /**
             * @description Where events are posted to: an https URL without credentials and fragment, on a public address. The service checks the address here and at every connection.
             * @example https://hooks.example.com/property-network
             */
            url: string;
            /**
             * @description The types of events to send: names, all events of one type of resource (`prospect.*`), or everything (`*`). An event is sent once, even if several of them include it. A change affects new events only.
             * @example [
             *       "contact.created",
             *       "contact.updated"
             *     ]
             */
            events: ("contact.created" | "contact.updated" | "contact.deleted" | "company.created" | "company.updated" | "company.deleted" | "link.created" | "link.updated" | "link.deleted" | "property.created" | "property.updated" | "property.deleted" | "project.created" | "project.updated" | "project.deleted" | "project.restored" | "prospect.created" | "prospect.updated" | "prospect.deleted" | "mandate.created" | "mandate.updated" | "mandate.deleted" | "offer.created" | "offer.updated" | "teaser.published" | "teaser.communicated" | "project.closed" | "project.reopened" | "project.communicated" | "prospect.removed" | "prospect.restored" | "prospect.teaser_communicated" | "prospect.im_shared" | "prospect.room_access_granted" | "prospect.bid_recorded" | "prospect.accepted" | "prospect.rejected" | "prospect.classified" | "prospect.interest_changed" | "prospect.stage_overridden" | "prospect.stage_override_withdrawn" | "prospect.project_tags_changed" | "prospect.external_refs_changed" | "prospect.owner_changed" | "prospect.access_expiry_changed" | "prospect.task_added" | "prospect.task_updated" | "prospect.task_completed" | "prospect.task_canceled" | "prospect.task_reopened" | "prospect.message_sent" | "prospect.file_shared" | "prospect.call_logged" | "teaser.updated" | "teaser.unpublished" | "teaser.verified" | "teaser.unverified" | "offer.read" | "offer.accepted" | "offer.rejected" | "offer.expired" | "offer.removed" | "offer.restored" | "offer.closed" | "room.opened" | "room.updated" | "room.winding_down" | "room.reopened" | "room.closed" | "room.access_granted" | "room.access_revoked" | "room.access_expired" | "room.file_uploaded" | "room.question_asked" | "room.question_updated" | "room.answer_drafted" | "room.question_answered" | "room.question_closed" | "note.created" | "note.superseded" | "note.archived" | "note.unarchived" | "file.uploaded" | "file.deleted" | "webhook.failing" | "webhook.disabled" | "*" | "contact.*" | "company.*" | "link.*" | "property.*" | "project.*" | "prospect.*" | "mandate.*" | "teaser.*" | "offer.*" | "room.*" | "note.*" | "file.*" | "webhook.*")[];
            /** @description A label. */
            name?: string | null;
        };
        /** @description A page of a list. */
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description The query takes too long. */
        QueryTooExpensive: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "query_too_expensive";
            /** @enum {integer} */
            status: 422;
        };
        /** @description A page of matches, best first. */
        PropertyMatchPage: {
            data: components["schemas"]["MatchingProperty"][];
            page: components["schemas"]["PageInfo"];
            /**
             * @description False if more than 10,000 records came into question: then only the newest ones were compared.
             * @example true
             */
            isComplete: boolean;
        };
        /** @description A property that fits the mandate, with the score and the criteria of the match. */
        MatchingProperty: components["schemas"]["Property"] & {
            /**
             * @description How well the property fits the mandate, from 0 to 100: 100 less the points of the criteria that are not met.
             * @example 60
             */
            score: number;
            /**
             * @description Why: all criteria, those that exclude first, then by their points.
             * @example [
             *       {
             *         "criterion": "country",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": "DE"
             *       },
             *       {
             *         "criterion": "geography",
             *         "result": "met",
             *         "wanted": {
             *           "near": {
             *             "latitude": 48.1372,
             *             "longitude": 11.5755
             *           },
             *           "radius": 60000
             *         },
             *         "found": {
             *           "latitude": 48.1385,
             *           "longitude": 11.5309
             *         }
             *       },
             *       {
             *         "criterion": "categories",
             *         "result": "met",
             *         "wanted": [
             *           "office",
             *           "mixed_use"
             *         ],
             *         "found": [
             *           "office"
             *         ]
             *       },
             *       {
             *         "criterion": "negativeTags",
             *         "result": "met",
             *         "wanted": [
             *           "contaminated_land"
             *         ],
             *         "found": [
             *           "multi_tenant",
             *           "partly_vacant"
             *         ]
             *       },
             *       {
             *         "criterion": "investmentSize",
             *         "result": "partly",
             *         "wanted": {
             *           "min": 20,
             *           "max": 45,
             *           "currency": "EUR",
             *           "scale": "million"
             *         },
             *         "found": {
             *           "value": 46500000,
             *           "currency": "EUR"
             *         }
             *       },
             *       {
             *         "criterion": "lettableArea",
             *         "result": "met",
             *         "wanted": {
             *           "min": 5000,
             *           "max": null,
             *           "unit": "sqm"
             *         },
             *         "found": {
             *           "value": 10640,
             *           "unit": "sqm"
             *         }
             *       },
             *       {
             *         "criterion": "lifecycleStages",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "subcategories",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "tenures",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "dealStructures",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "netInitialYield",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "pricePerSqm",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": {
             *           "value": 4370.3008,
             *           "currency": "EUR"
             *         }
             *       },
             *       {
             *         "criterion": "wault",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "vacancyRate",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "yearBuilt",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "parcelArea",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "zoningGfa",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "unitCount",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "worstEnergyClass",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "conversions",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "positiveTags",
             *         "result": "partly",
             *         "wanted": [
             *           "partly_vacant",
             *           "rail_access"
             *         ],
             *         "found": [
             *           "multi_tenant",
             *           "partly_vacant"
             *         ]
             *       }
             *     ]
             */
            criteria: components["schemas"]["MatchCriterion"][];
        };
        /** @description A criterion of a match. */
        MatchCriterion: {
            /**
             * @description The member of the mandate. Known values: `country`, `geography`, `categories`, `negativeTags`, `investmentSize`, `lettableArea`, `lifecycleStages`, `subcategories`, `tenures`, `dealStructures`, `netInitialYield`, `pricePerSqm`, `wault`, `vacancyRate`, `yearBuilt`, `parcelArea`, `zoningGfa`, `unitCount`, `worstEnergyClass`, `conversions`, `positiveTags`. Later versions may add more.
             * @example country
             */
            criterion: string;
            /**
             * @description How the property compares with it. Known values: `met`, `partly`, `failed`, `unknown`. Later versions may add more.
             * @example met
             */
            result: string;
            /**
             * @description What the mandate wants: the value of its member; of `geography`, the circle (`near` and `radius`) or the `bbox` (west, south, east, north). Null if it leaves the criterion open.
             * @example {
             *       "min": 3000,
             *       "max": null,
             *       "unit": "sqm"
             *     }
             */
            wanted: unknown;
            /**
             * @description What the property has, as its members say it; null if it leaves the criterion open.
             * @example {
             *       "value": 2850,
             *       "unit": "sqm"
             *     }
             */
            found: unknown;
        };
        /** @description The name of a resource in another system. */
        ExternalRef: {
            /**
             * @description The name of the other system, without a colon.
             * @example hubspot
             */
            namespace: string;
            /**
             * @description The id of the resource in the other system.
             * @example 8812
             */
            externalId: string;
        };
        /** @description A certificate of sustainability. */
        PropertyCertification: {
            /**
             * @description The scheme of the certificate. Known values: `breeam`, `leed`, `dgnb`, `hqe`, `well`, `gresb`, `miljobyggnad`, `greenbuilding`, `other`. Later versions may add more.
             * @example breeam
             */
            scheme: string | null;
            /**
             * @description The level that was reached.
             * @example Gold
             */
            level: string | null;
            /**
             * @description What was certified, such as the design or the building in use.
             * @example in use
             */
            phase: string | null;
            /**
             * @description Until when the certificate is valid.
             * @example 2028-12-31
             */
            validUntil: string | null;
        };
        /** @description The energy certificate. */
        PropertyEnergy: {
            /**
             * @description The class, on the scale of `country`; `a_plus` is A+. Known values: `a_plus`, `a0`, `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`. Later versions may add more.
             * @example a_plus
             */
            class: string | null;
            /**
             * @description The country of the scale, ISO 3166-1 alpha-2, upper case.
             * @example DE
             */
            country: string | null;
            /**
             * @description The number of the certificate.
             * @example BY-2024-004812345
             */
            certificateNumber: string | null;
            /**
             * @description Until when the certificate is valid.
             * @example 2034-05-31
             */
            validUntil: string | null;
            /**
             * @description What the certificate is based on. Known values: `demand`, `consumption`. Later versions may add more.
             * @example demand
             */
            basis: string | null;
            /**
             * @description The primary energy, in kilowatt-hours per square metre and year.
             * @example 128.4
             */
            primaryKwhPerSqmYear: number | null;
            /**
             * @description The final energy, in kilowatt-hours per square metre and year.
             * @example 96.2
             */
            finalKwhPerSqmYear: number | null;
            /**
             * @description The emissions, in kilograms of carbon dioxide per square metre and year.
             * @example 24.8
             */
            co2KgPerSqmYear: number | null;
        };
        /** @description What the property costs. */
        PropertyPricing: {
            /**
             * @description The asking price of the whole property.
             * @example {
             *       "value": 46500000,
             *       "currency": "EUR"
             *     }
             */
            askingPrice: components["schemas"]["Money"] | null;
            /**
             * @description How firm the asking price is. Known values: `asking`, `guide`, `offers_over`, `offers_around`, `on_application`. Later versions may add more.
             * @example asking
             */
            qualifier: string | null;
            /**
             * @description The costs of the purchase, in percent of the price.
             * @example {
             *       "value": 6.5,
             *       "unit": "percent"
             *     }
             */
            purchaserCosts: components["schemas"]["Share"] | null;
            /**
             * @description The net initial yield. As it was given: the service does not compute it.
             * @example {
             *       "value": 4.3,
             *       "unit": "percent"
             *     }
             */
            netInitialYield: components["schemas"]["Percent"] | null;
            /**
             * @description The net initial yield as if rent-free periods were over. As it was given: the service does not compute it.
             * @example {
             *       "value": 4.5,
             *       "unit": "percent"
             *     }
             */
            toppedUpNetInitialYield: components["schemas"]["Percent"] | null;
            /**
             * @description The gross initial yield. As it was given: the service does not compute it.
             * @example {
             *       "value": 4.97,
             *       "unit": "percent"
             *     }
             */
            grossInitialYield: components["schemas"]["Percent"] | null;
            /**
             * @description The yield at the market rent. As it was given: the service does not compute it.
             * @example {
             *       "value": 5.1,
             *       "unit": "percent"
             *     }
             */
            reversionaryYield: components["schemas"]["Percent"] | null;
            /**
             * @description The price as a multiple of the rent of a year. As it was given: the service does not compute it.
             * @example 20.13
             */
            rentMultiplier: number | null;
            /**
             * @description How the price relates to value-added tax. Known values: `exclusive`, `inclusive`, `exempt`. Later versions may add more.
             * @example exclusive
             */
            vatTreatment: string | null;
        };
        /** @description A percentage, such as a yield. */
        Percent: {
            /**
             * @description In percent: 4.75 is 4.75 %.
             * @example 4.75
             */
            value: number;
            /**
             * @description Percent.
             * @example percent
             * @enum {string}
             */
            unit: "percent";
        };
        /** @description A part of a whole in percent, from 0 to 100. */
        Share: {
            /**
             * @description In percent: 4.75 is 4.75 %.
             * @example 4.75
             */
            value: number;
            /**
             * @description Percent.
             * @example percent
             * @enum {string}
             */
            unit: "percent";
        };
        /** @description An amount of money. */
        Money: {
            /**
             * @description The amount, exact to four decimal places.
             * @example 1250000
             */
            value: number;
            /**
             * @description The ISO 4217 code of the currency.
             * @example EUR
             */
            currency: string;
        };
        /** @description A tenant. */
        PropertyTenant: {
            /**
             * @description The name of the tenant.
             * @example Nordlicht Software GmbH
             */
            name: string | null;
            /**
             * @description What the tenant uses the area for: one of the `categories` where one fits, or any other text.
             * @example office
             */
            use: string | null;
            /**
             * @description The area that the tenant rents.
             * @example {
             *       "value": 2150,
             *       "unit": "sqm"
             *     }
             */
            area: components["schemas"]["Area"] | null;
            /**
             * @description The rent of a year.
             * @example {
             *       "value": 610000,
             *       "currency": "EUR"
             *     }
             */
            annualRent: components["schemas"]["Money"] | null;
            /**
             * @description When the tenant can leave first.
             * @example 2029-06-30
             */
            breakOn: string | null;
            /**
             * @description When the lease ends.
             * @example 2031-06-30
             */
            expiresOn: string | null;
        };
        /** @description An area in square metres. `standard` and `measuredOn` are missing where they are not known. */
        Area: {
            /**
             * @description The area, exact to four decimal places.
             * @example 12450.5
             */
            value: number;
            /**
             * @description Square metres.
             * @example sqm
             * @enum {string}
             */
            unit: "sqm";
            /**
             * @description How it was measured: a part of the International Property Measurement Standards (`ipms1` to `ipms3_2`), gross external, gross internal or net internal area, gross leasable area, or by local rules. Known values: `ipms1`, `ipms2`, `ipms3_1`, `ipms3_2`, `gea`, `gia`, `nia`, `gla`, `local`. Later versions may add more.
             * @example ipms1
             */
            standard?: string;
            /**
             * Format: date
             * @description When it was measured.
             * @example 2025-03-01
             */
            measuredOn?: string;
        };
        /** @description What the property earns. Amounts are those of a year. */
        PropertyIncome: {
            /**
             * @description The date of these figures.
             * @example 2026-09-30
             */
            asOf: string | null;
            /**
             * @description The rent that the leases bring in a year.
             * @example {
             *       "value": 2310000,
             *       "currency": "EUR"
             *     }
             */
            passingRent: components["schemas"]["Money"] | null;
            /**
             * @description The rent that a new letting would bring in a year.
             * @example {
             *       "value": 2480000,
             *       "currency": "EUR"
             *     }
             */
            marketRent: components["schemas"]["Money"] | null;
            /**
             * @description The costs of a year that tenants do not bear.
             * @example {
             *       "value": 185000,
             *       "currency": "EUR"
             *     }
             */
            nonRecoverableCosts: components["schemas"]["Money"] | null;
            /**
             * @description The income of a year after costs. As it was given: the service does not compute it.
             * @example {
             *       "value": 2125000,
             *       "currency": "EUR"
             *     }
             */
            netOperatingIncome: components["schemas"]["SignedMoney"] | null;
            /**
             * @description The part that is vacant. As it was given: the service does not compute it.
             * @example {
             *       "value": 7.2,
             *       "unit": "percent"
             *     }
             */
            vacancyRate: components["schemas"]["Share"] | null;
            /**
             * @description The part that is let. As it was given: the service does not compute it.
             * @example {
             *       "value": 92.8,
             *       "unit": "percent"
             *     }
             */
            occupancyRate: components["schemas"]["Share"] | null;
            /**
             * @description The weighted average unexpired lease term to the first break.
             * @example {
             *       "value": 4.1,
             *       "unit": "years"
             *     }
             */
            waultToBreak: components["schemas"]["Years"] | null;
            /**
             * @description The weighted average unexpired lease term to the end of the leases.
             * @example {
             *       "value": 5.6,
             *       "unit": "years"
             *     }
             */
            waultToExpiry: components["schemas"]["Years"] | null;
            /**
             * @description The number of tenants.
             * @example 9
             */
            tenantCount: number | null;
            /**
             * @description Who bears the costs. Known values: `double_net`, `triple_net`, `gross`, `modified_gross`, `full_repairing`. Later versions may add more.
             * @example double_net
             */
            leaseType: string | null;
            /**
             * @description How rents follow prices. Known values: `none`, `cpi`, `fixed_steps`, `turnover`. Later versions may add more.
             * @example none
             */
            indexation: string | null;
        };
        /** @description A duration in years. */
        Years: {
            /**
             * @description In years.
             * @example 5.5
             */
            value: number;
            /**
             * @description Years.
             * @example years
             * @enum {string}
             */
            unit: "years";
        };
        /** @description An amount of money; negative for a loss. */
        SignedMoney: {
            /**
             * @description The amount, exact to four decimal places.
             * @example 1250000
             */
            value: number;
            /**
             * @description The ISO 4217 code of the currency.
             * @example EUR
             */
            currency: string;
        };
        /** @description What hotels are compared by. */
        PropertyHotel: {
            /**
             * @description The number of rooms.
             * @example 148
             */
            roomCount: number | null;
            /**
             * @description The official stars, half ones included.
             * @example 4
             */
            stars: number | null;
            /**
             * @description How the hotel is run. Known values: `lease`, `management`, `franchise`, `owner_operated`. Later versions may add more.
             * @example lease
             */
            contractType: string | null;
        };
        /** @description What warehouses and factories are compared by. */
        PropertyIndustrial: {
            /**
             * @description The clear height in metres.
             * @example 10.5
             */
            clearHeightM: number | null;
            /**
             * @description The number of loading docks.
             * @example 24
             */
            dockDoors: number | null;
            /**
             * @description The number of gates at ground level.
             * @example 2
             */
            driveInDoors: number | null;
            /**
             * @description The load that the floor bears, in kilonewtons per square metre.
             * @example 50
             */
            floorLoadKnPerSqm: number | null;
            /**
             * @description The power supply in kilovolt-amperes.
             * @example 1600
             */
            powerKva: number | null;
            /**
             * @description The depth of the yard in metres.
             * @example 35
             */
            yardDepthM: number | null;
        };
        /** @description What may be built on the parcels. */
        PropertyZoning: {
            /**
             * @description The gross floor area that may be built.
             * @example {
             *       "value": 14000,
             *       "unit": "sqm"
             *     }
             */
            gfa: components["schemas"]["Area"] | null;
            /**
             * @description The uses that are allowed.
             * @example [
             *       "residential"
             *     ]
             */
            uses: string[];
            /**
             * @description The class of use in the words of the plan.
             * @example MK (Kerngebiet)
             */
            useClass: string | null;
            /**
             * @description How far the zoning is. Known values: `zoned`, `in_progress`, `expected`, `unzoned`. Later versions may add more.
             * @example zoned
             */
            status: string | null;
            /**
             * @description The plan that says so.
             * @example Bebauungsplan 1926a
             */
            planReference: string | null;
            /**
             * @description The floor area that is allowed per area of land: 2.4 is 240 %.
             * @example 2.4
             */
            floorAreaRatio: number | null;
            /**
             * @description The part of the land that may be built over: 0.6 is 60 %.
             * @example 0.6
             */
            siteCoverageRatio: number | null;
            /**
             * @description How far the planning permission is. Known values: `none`, `pending`, `approved`. Later versions may add more.
             * @example none
             */
            planningPermission: string | null;
        };
        /** @description The area of one use. */
        PropertyAreaByUse: {
            /**
             * @description What the area is used for: one of the `categories` where one fits, or any other text.
             * @example office
             */
            use: string | null;
            /**
             * @description The area of this use.
             * @example {
             *       "value": 8400,
             *       "unit": "sqm"
             *     }
             */
            area: components["schemas"]["Area"] | null;
            /**
             * @description The part of it that is let.
             * @example {
             *       "value": 7630,
             *       "unit": "sqm"
             *     }
             */
            rentedArea: components["schemas"]["Area"] | null;
        };
        /** @description The lease of the land under the building. */
        PropertyGroundLease: {
            /**
             * @description When the lease ends.
             * @example 2091-12-31
             */
            expiresOn: string | null;
            /**
             * @description The rent of the land for a year.
             * @example {
             *       "value": 84000,
             *       "currency": "EUR"
             *     }
             */
            annualRent: components["schemas"]["Money"] | null;
        };
        /** @description A parcel of land. */
        PropertyParcel: {
            /**
             * @description The number of the parcel in the cadastre.
             * @example 8412/3
             */
            cadastralId: string | null;
            /**
             * @description The land register, and where the parcel is in it.
             * @example Grundbuch von München, Sektion 7, Blatt 1204
             */
            register: string | null;
            /**
             * @description The area of the parcel.
             * @example {
             *       "value": 4180,
             *       "unit": "sqm"
             *     }
             */
            area: components["schemas"]["Area"] | null;
        };
        /** @description The position in WGS 84: both members, or neither. */
        PropertyCoordinates: {
            /**
             * @description Degrees north; negative is south.
             * @example 48.1385
             */
            latitude: number | null;
            /**
             * @description Degrees east; negative is west.
             * @example 11.5309
             */
            longitude: number | null;
        };
        /** @description The postal address. As a whole, null clears `street`, `houseNumber`, `postalCode` and `region`, but not `country` and `locality`. */
        PropertyAddress: {
            /**
             * @description The street, without the house number.
             * @example Landsberger Straße
             */
            street: string | null;
            /**
             * @description The house number, with its suffix.
             * @example 84a
             */
            houseNumber: string | null;
            /**
             * @description The postal code.
             * @example 80339
             */
            postalCode: string | null;
            /**
             * @description The state, province or region.
             * @example Bayern
             */
            region: string | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case. Also in `address`, with one value: a write may name either, or both alike.
             * @example DE
             */
            country: string | null;
            /**
             * @description The town or city. Also in `address`, with one value: a write may name either, or both alike.
             * @example München
             */
            locality: string | null;
        };
        /** @description A page of matches, best first. */
        MandateMatchPage: {
            data: components["schemas"]["MatchingMandate"][];
            page: components["schemas"]["PageInfo"];
            /**
             * @description False if more than 10,000 records came into question: then only the newest ones were compared.
             * @example true
             */
            isComplete: boolean;
        };
        /** @description A mandate that wants the property, with the score and the criteria of the match. */
        MatchingMandate: components["schemas"]["Mandate"] & {
            /**
             * @description How well the property fits the mandate, from 0 to 100: 100 less the points of the criteria that are not met.
             * @example 60
             */
            score: number;
            /**
             * @description Why: all criteria, those that exclude first, then by their points.
             * @example [
             *       {
             *         "criterion": "country",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": "DE"
             *       },
             *       {
             *         "criterion": "geography",
             *         "result": "met",
             *         "wanted": {
             *           "near": {
             *             "latitude": 48.1372,
             *             "longitude": 11.5755
             *           },
             *           "radius": 60000
             *         },
             *         "found": {
             *           "latitude": 48.1385,
             *           "longitude": 11.5309
             *         }
             *       },
             *       {
             *         "criterion": "categories",
             *         "result": "met",
             *         "wanted": [
             *           "office",
             *           "mixed_use"
             *         ],
             *         "found": [
             *           "office"
             *         ]
             *       },
             *       {
             *         "criterion": "negativeTags",
             *         "result": "met",
             *         "wanted": [
             *           "contaminated_land"
             *         ],
             *         "found": [
             *           "multi_tenant",
             *           "partly_vacant"
             *         ]
             *       },
             *       {
             *         "criterion": "investmentSize",
             *         "result": "partly",
             *         "wanted": {
             *           "min": 20,
             *           "max": 45,
             *           "currency": "EUR",
             *           "scale": "million"
             *         },
             *         "found": {
             *           "value": 46500000,
             *           "currency": "EUR"
             *         }
             *       },
             *       {
             *         "criterion": "lettableArea",
             *         "result": "met",
             *         "wanted": {
             *           "min": 5000,
             *           "max": null,
             *           "unit": "sqm"
             *         },
             *         "found": {
             *           "value": 10640,
             *           "unit": "sqm"
             *         }
             *       },
             *       {
             *         "criterion": "lifecycleStages",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "subcategories",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "tenures",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "dealStructures",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "netInitialYield",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "pricePerSqm",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": {
             *           "value": 4370.3008,
             *           "currency": "EUR"
             *         }
             *       },
             *       {
             *         "criterion": "wault",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "vacancyRate",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "yearBuilt",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "parcelArea",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "zoningGfa",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "unitCount",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "worstEnergyClass",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "conversions",
             *         "result": "unknown",
             *         "wanted": null,
             *         "found": null
             *       },
             *       {
             *         "criterion": "positiveTags",
             *         "result": "partly",
             *         "wanted": [
             *           "partly_vacant",
             *           "rail_access"
             *         ],
             *         "found": [
             *           "multi_tenant",
             *           "partly_vacant"
             *         ]
             *       }
             *     ]
             */
            criteria: components["schemas"]["MatchCriterion"][];
        };
        /**
         * @description The centre of a circle. Coordinates are rounded to seven decimals.
         * @example {
         *       "latitude": 48.1372,
         *       "longitude": 11.5755
         *     }
         */
        Near: {
            /**
             * @description The latitude in degrees (WGS 84).
             * @example 48.1372
             */
            latitude: number;
            /**
             * @description The longitude in degrees (WGS 84).
             * @example 11.5755
             */
            longitude: number;
        };
        /**
         * @description An area as a GeoJSON Polygon or MultiPolygon (RFC 7946) of at most 5,000 positions in 200 rings, all parts counted together. Edges are straight in longitude and latitude. Rings must be closed and must not cross or touch themselves; holes lie inside and may touch other rings in points only. Cut an area that crosses the antimeridian into a MultiPolygon there: an edge that spans more than 180° is rejected unless it goes from -180 to 180. Coordinates are rounded to seven decimals; altitudes, `bbox` and repeated positions are dropped; the winding of rings is corrected. `crs` is rejected.
         * @example {
         *       "type": "Polygon",
         *       "coordinates": [
         *         [
         *           [
         *             11.36,
         *             48.06
         *           ],
         *           [
         *             11.72,
         *             48.06
         *           ],
         *           [
         *             11.72,
         *             48.25
         *           ],
         *           [
         *             11.36,
         *             48.25
         *           ],
         *           [
         *             11.36,
         *             48.06
         *           ]
         *         ]
         *       ]
         *     }
         */
        Geography: {
            /** @enum {string} */
            type: "Polygon";
            /** @description The outer ring, then its holes. The last position of a ring repeats the first. */
            coordinates: number[][][];
            /** @description Is ignored, and never answered. */
            bbox?: number[];
        } | {
            /** @enum {string} */
            type: "MultiPolygon";
            /** @description The parts, which may overlap. */
            coordinates: number[][][][];
            /** @description Is ignored, and never answered. */
            bbox?: number[];
        };
        /** @description A range of prices; either end may be open. */
        PriceRange: {
            /**
             * @description The lowest price; null when this end is open.
             * @example 5
             */
            min: number | null;
            /**
             * @description The highest price; null when this end is open.
             * @example 25
             */
            max: number | null;
            /**
             * @description The ISO 4217 code of the currency.
             * @example EUR
             */
            currency: string;
            /**
             * @description The unit of the two prices: units, thousands or millions of the currency.
             * @example million
             * @enum {string}
             */
            scale: "unit" | "thousand" | "million";
        };
        /** @description A range of counts; either end may be open. */
        UnitRange: {
            /**
             * @description The smallest number; null when this end is open.
             * @example 1
             */
            min: number | null;
            /**
             * @description The largest number; null when this end is open.
             * @example 12
             */
            max: number | null;
        };
        /** @description A range of durations in years; either end may be open. */
        YearsRange: {
            /**
             * @description The shortest duration; null when this end is open.
             * @example 3
             */
            min: number | null;
            /**
             * @description The longest duration; null when this end is open.
             * @example 10
             */
            max: number | null;
            /**
             * @description Years.
             * @example years
             * @enum {string}
             */
            unit: "years";
        };
        /** @description A range of percentages; either end may be open. */
        PercentRange: {
            /**
             * @description The lowest percentage; null when this end is open.
             * @example 4.5
             */
            min: number | null;
            /**
             * @description The highest percentage; null when this end is open.
             * @example 6
             */
            max: number | null;
            /**
             * @description Percent.
             * @example percent
             * @enum {string}
             */
            unit: "percent";
        };
        /** @description A range of areas; either end may be open. */
        AreaRange: {
            /**
             * @description The smallest area; null when this end is open.
             * @example 2000
             */
            min: number | null;
            /**
             * @description The largest area; null when this end is open.
             * @example 20000
             */
            max: number | null;
            /**
             * @description Square metres.
             * @example sqm
             * @enum {string}
             */
            unit: "sqm";
        };
        /** @description A range of years of the calendar; either end may be open. */
        YearRange: {
            /**
             * @description The first year; null when this end is open.
             * @example 1990
             */
            min: number | null;
            /**
             * @description The last year; null when this end is open.
             * @example 2015
             */
            max: number | null;
        };
        /**
         * @description A contact or a company: one of the two is present.
         * @example {
         *       "companyId": "company_01kb3n7x2ferwt5z8q4j6m9d0c"
         *     }
         */
        MandateInvestor: {
            /**
             * @description The id of the contact.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contactId?: string;
            /**
             * @description The id of the company.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            companyId?: string;
        };
        /** @description A page of a list. */
        ActionPage: {
            data: components["schemas"]["Action"][];
            page: components["schemas"]["PageInfo"];
        };
        /**
         * @description A row of a timeline: an event of a resource, or a note on it.
         * @example {
         *       "id": "act_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "type": "audit",
         *       "event": "contact.updated",
         *       "occurredUtc": "2026-11-21T09:30:00.000Z",
         *       "actor": {
         *         "id": "user_01kb3n7x2ferwt5z8q4j6m9d0c",
         *         "name": "Anna Berg"
         *       },
         *       "details": {
         *         "kind": "audit",
         *         "changedFields": [
         *           "email"
         *         ]
         *       }
         *     }
         */
        Action: {
            /**
             * @description An opaque identifier: `act_` and 26 characters.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            occurredUtc: string;
            actor: components["schemas"]["ActionActor"];
            /**
             * @description The type of the row. Known values: `audit`, `note`, `chat`. Later versions may add more.
             * @example audit
             */
            type: string;
            event: string | null;
            details: components["schemas"]["AuditDetails"] | components["schemas"]["NoteDetails"] | components["schemas"]["ChatDetails"];
            /**
             * @description On a row that belongs to another record: the type of that record. Known values: `prospect`, `room`, `contact`, `company`. Later versions may add more.
             * @example prospect
             */
            subject?: string;
            /**
             * @description With `subject`: the id of that record; left out once it was purged.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            subjectId?: string;
            /**
             * @description The ETag of a note, with its quotes.
             * @example "v1"
             */
            etag?: string;
            /**
             * @description When the note was archived; null if it is not archived.
             * @example null
             */
            archivedAt?: string | null;
            /** @description The format of a note: `markdown`, or null for plain text. */
            contentFormat?: string | null;
            /**
             * @description The id of the note that this one replaced.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            supersedesActivityId?: string;
            /**
             * @description The id of the note that replaced this one.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            supersededByActivityId?: string;
        };
        ChatDetails: {
            /** @enum {string} */
            kind: "chat";
            /**
             * @description On timelines of the broker's team: who sent it, `broker` or `investor`.
             * @example broker
             */
            sender?: string;
            file?: components["schemas"]["ActionFile"];
        };
        /** @description A file that was shared or uploaded. */
        ActionFile: {
            /**
             * @description An opaque identifier: `file_` and 26 characters.
             * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @example rent-roll.pdf */
            name: string;
            /**
             * @description The path of its content.
             * @example /api/v1/files/file_01kb3n7x2ferwt5z8q4j6m9d0c/content
             */
            downloadPath: string;
        };
        NoteDetails: {
            /** @enum {string} */
            kind: "note";
            /**
             * @description The note's text.
             * @example Looks for logistics in Milan.
             */
            message: string;
            /**
             * @description When the note was archived; null if it is not archived.
             * @example null
             */
            archivedAt: string | null;
        };
        AuditDetails: {
            /** @enum {string} */
            kind: "audit";
            /** @description The members that an update changed, by their names in the REST API. */
            changedFields?: string[];
            /**
             * @description A text: the reason for a stage override, the note of a task, the name of a file, the amount of a bid, the question that was asked, the answer that was published.
             * @example Called back, still interested
             */
            message?: string;
            /**
             * @description On a classification with a comment: the id of the note with the comment.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            noteId?: string;
            /**
             * @description The previous classification, interest or stage; left out if there was none.
             * @example contacted
             */
            from?: string;
            /**
             * @description The new classification, interest or stage; left out if it was cleared.
             * @example interested
             */
            to?: string;
            /**
             * @description The id of the follow-up task.
             * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            taskId?: string;
            /**
             * @description On the rows of a question, except on timelines of offers: its id.
             * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            questionId?: string;
            /** @description On `room.question_answered` of an offer: the question, by its number in the room, and the published answer. */
            question?: {
                /** @example 12 */
                number: number;
                /** @example Which tenants may terminate before 2028? */
                text: string;
                /** @example Only the one on the ground floor. */
                answer: string;
            };
            file?: components["schemas"]["ActionFile"];
        };
        /** @description The user who made the change; null members when the operator or the system made it. */
        ActionActor: {
            id: string | null;
            name: string | null;
        };
        /** @description A page of a list. */
        MandateSearchPage: {
            data: components["schemas"]["FoundMandate"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description A mandate that a search found. */
        FoundMandate: components["schemas"]["Mandate"] & {
            /**
             * @description `area`: its place meets the searched one, if only at the edge. `anywhere`: it has no place. Known values: `area`, `anywhere`. Later versions may add more.
             * @example area
             */
            match: string;
        };
        /**
         * @description A search by place, in exactly one mode: `geography`, `near` with `radius`, or `location`.
         * @example {
         *       "location": "Munich",
         *       "categories": [
         *         "logistics"
         *       ],
         *       "page_size": 50
         *     }
         */
        MandateSearch: {
            geography?: components["schemas"]["Geography_1"];
            near?: components["schemas"]["Near_1"];
            /**
             * @description The radius of the circle in metres, with `near`.
             * @example 25000
             */
            radius?: number;
            /**
             * @description The place by its name, such as `Munich`, `Bavaria` or `Frankfurt (Oder)`, which the service resolves itself. The fault of a name that is not known is `location_unknown`; of one that means several places of like size, `location_ambiguous`; both list spellings that resolve.
             * @example Munich
             */
            location?: string;
            /**
             * @description Find mandates that want one of these uses, and those that leave the uses open.
             * @example [
             *       "logistics"
             *     ]
             */
            categories?: ("office" | "retail" | "logistics" | "light_industrial" | "residential" | "student_housing" | "senior_living" | "healthcare" | "hotel" | "leisure" | "mixed_use" | "data_centre" | "life_science" | "self_storage" | "parking" | "education" | "public" | "land" | "other")[];
            /**
             * @description Find mandates with one of these among their positive tags, and those without positive tags; none with one of them among its negative tags.
             * @example [
             *       "motorway_access"
             *     ]
             */
            tags?: ("single_tenant" | "multi_tenant" | "fully_let" | "partly_vacant" | "vacant_possession" | "long_lease" | "short_lease" | "indexed_rent" | "public_tenant" | "sale_and_leaseback" | "under_rented" | "over_rented" | "value_add" | "development_potential" | "forward_purchase" | "forward_funding" | "newly_built" | "refurbished" | "heritage_listed" | "contaminated_land" | "distressed_sale" | "portfolio" | "prime_location" | "city_centre" | "out_of_town" | "waterfront" | "rail_access" | "motorway_access" | "airport_nearby" | "esg_certified" | "fossil_heating")[];
            /**
             * @description Find mandates with this status, whether or not they are still valid. If it is left out: active ones whose `validUntilUtc` has not passed.
             * @example active
             * @enum {string}
             */
            status?: "active" | "paused" | "closed" | "all";
            /** @description The `nextCursor` of the previous page, with the same search. Opaque. */
            cursor?: string;
            /**
             * @description Rows per page; 50 if it is left out.
             * @example 50
             */
            page_size?: number;
        };
        /**
         * @description The centre of a circle, with `radius`.
         * @example {
         *       "latitude": 48.1372,
         *       "longitude": 11.5755
         *     }
         */
        Near_1: {
            /**
             * @description The latitude in degrees (WGS 84).
             * @example 48.1372
             */
            latitude: number;
            /**
             * @description The longitude in degrees (WGS 84).
             * @example 11.5755
             */
            longitude: number;
        };
        /**
         * @description The place as GeoJSON.
         * @example {
         *       "type": "Polygon",
         *       "coordinates": [
         *         [
         *           [
         *             11.36,
         *             48.06
         *           ],
         *           [
         *             11.72,
         *             48.06
         *           ],
         *           [
         *             11.72,
         *             48.25
         *           ],
         *           [
         *             11.36,
         *             48.25
         *           ],
         *           [
         *             11.36,
         *             48.06
         *           ]
         *         ]
         *       ]
         *     }
         */
        Geography_1: {
            /** @enum {string} */
            type: "Polygon";
            /** @description The outer ring, then its holes. The last position of a ring repeats the first. */
            coordinates: number[][][];
            /** @description Is ignored, and never answered. */
            bbox?: number[];
        } | {
            /** @enum {string} */
            type: "MultiPolygon";
            /** @description The parts, which may overlap. */
            coordinates: number[][][][];
            /** @description Is ignored, and never answered. */
            bbox?: number[];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        MandateDeleteReceipts: {
            results: (components["schemas"]["MandateDeletedReceipt"] | components["schemas"]["MissingReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The item was rejected. Nothing of it was written. */
        FailedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record, if it is known.
             * @example null
             */
            id: string | null;
            /** @enum {string} */
            status: "failed";
            /** @description Always null. */
            etag: null;
            problem: components["schemas"]["ItemProblem_1"];
        };
        /**
         * @description The problem that a request for this item alone would answer, with the members of its code.
         * @example {
         *       "type": "https://example.com/help/invalid-request",
         *       "title": "The request is not valid.",
         *       "status": 400,
         *       "code": "invalid_request",
         *       "detail": "body /items/0/email: Must be an e-mail address such as anna@example.com.",
         *       "requestId": "req-8812",
         *       "errors": [
         *         {
         *           "in": "body",
         *           "pointer": "/items/0/email",
         *           "code": "invalid_email",
         *           "detail": "Must be an e-mail address such as anna@example.com."
         *         }
         *       ]
         *     }
         */
        ItemProblem_1: components["schemas"]["ItemProblem"];
        /**
         * @description There is no record with this id.
         * @example {
         *       "index": 1,
         *       "id": "contact_01kb3n9w4hfr8tz2q6y1x5c7ve",
         *       "status": "missing",
         *       "etag": null
         *     }
         */
        MissingReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id as it was sent, its first 100 characters.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "missing";
            /** @description Always null. */
            etag: null;
            problem?: components["schemas"]["ItemProblem"];
        };
        /**
         * @description On the id of a record that was merged: `merged`, with the id of the other record.
         * @example {
         *       "type": "https://example.com/help/invalid-request",
         *       "title": "The request is not valid.",
         *       "status": 400,
         *       "code": "invalid_request",
         *       "detail": "body /items/0/email: Must be an e-mail address such as anna@example.com.",
         *       "requestId": "req-8812",
         *       "errors": [
         *         {
         *           "in": "body",
         *           "pointer": "/items/0/email",
         *           "code": "invalid_email",
         *           "detail": "Must be an e-mail address such as anna@example.com."
         *         }
         *       ]
         *     }
         */
        ItemProblem: {
            /**
             * @description The address of an explanation.
             * @example https://example.com/help/invalid-request
             */
            type: string;
            /** @example The request is not valid. */
            title: string;
            /**
             * @description The status that a request for this item alone would answer.
             * @example 400
             */
            status: number;
            /**
             * @description The code of the problem, for programs.
             * @example invalid_request
             */
            code: string;
            /** @example body /items/0/email: Must be an e-mail address. */
            detail: string;
            /** @description The id of the request. Quote it when you ask for help. */
            requestId?: string;
            /** @description On `invalid_request`: the faults, at most 20. */
            errors?: components["schemas"]["Fault"][];
            /**
             * @description How many more faults there are than `errors` lists, which are at most 20. Absent if there are none.
             * @example 3
             */
            moreErrors?: number;
            /** @description On `duplicate`: the records that it may duplicate. */
            candidates?: {
                /** @example contact_01kb3n7x2ferwt5z8q4j6m9d0c */
                id: string;
                name?: string | null;
                email?: string | null;
                domain?: string | null;
                country?: string | null;
                jobTitle?: string | null;
            }[];
            /** @description On `external_reference_taken`: the id of the record that holds the reference. */
            holderId?: string;
            /** @description On `external_reference_taken`. */
            namespace?: string;
            /** @description On `external_reference_taken`. */
            externalId?: string;
            /** @description On `merged`: the id of the record that it was merged into. */
            mergedInto?: string;
            /** @description On `precondition_failed`: the present ETag of the record; null if it does not exist any more. */
            currentEtag?: string | null;
            /** @description On `property_on_project`: the ids of the projects. */
            projectIds?: string[];
            /** @description On `prospect_exists`: the id of the prospect. */
            prospectId?: string;
        };
        /** @description The record was deleted. */
        MandateDeletedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "deleted";
            /** @description Always null. */
            etag: null;
        };
        /** @description The ids of at most 100 records. */
        MandateBatchDelete: {
            /**
             * @example [
             *       "mandate_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        MandateUpsertReceipts: {
            results: (components["schemas"]["MandateUpsertedReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record is as the item asks. */
        MandateUpsertedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
        };
        /** @description At most 100 items. They are processed in order, each on the state that the ones before it left. */
        MandateBatchUpsert: {
            items: components["schemas"]["MandateUpsert"][];
        };
        /**
         * @description A mandate to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.
         * @example {
         *       "name": "Value-add logistics, greater Munich",
         *       "categories": [
         *         "logistics",
         *         "light_industrial"
         *       ],
         *       "riskProfiles": [
         *         "value_add"
         *       ],
         *       "investmentSize": {
         *         "min": 5,
         *         "max": 25,
         *         "currency": "EUR",
         *         "scale": "million"
         *       },
         *       "lettableArea": {
         *         "min": 3000,
         *         "max": null,
         *         "unit": "sqm"
         *       },
         *       "positiveTags": [
         *         "motorway_access",
         *         "partly_vacant"
         *       ],
         *       "negativeTags": [
         *         "contaminated_land"
         *       ],
         *       "near": {
         *         "latitude": 48.1372,
         *         "longitude": 11.5755
         *       },
         *       "radius": 60000,
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "m-88"
         *         }
         *       ]
         *     }
         */
        MandateUpsert: components["schemas"]["MandatePatch"] & {
            /**
             * @description An opaque identifier: `mandate_` and 26 characters.
             * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id?: string;
            /**
             * @description The `If-Match` of the item: the ETag of the record as you read it, quotes included. If the record has another one now, or does not exist any more, the item fails with `precondition_failed`. Null or blank: no check.
             * @example "v1"
             */
            etag?: string | null;
        };
        /**
         * @description A contact or a company: exactly one of the two.
         * @example {
         *       "companyId": "company_01kb3n7x2ferwt5z8q4j6m9d0c"
         *     }
         */
        MandateInvestorInput: {
            contactId?: string | null;
            companyId?: string | null;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        MandateGetReceipts: {
            results: (components["schemas"]["MandateFoundReceipt"] | components["schemas"]["MissingReceipt"])[];
        };
        /** @description The record. */
        MandateFoundReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "found";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
            resource: components["schemas"]["Mandate"];
        };
        /** @description What an investor looks for. A tombstone only has its audit members and external references. */
        Mandate: {
            /**
             * @description An opaque identifier: `mandate_` and 26 characters.
             * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description Null on a tombstone.
             * @example Value-add logistics, greater Munich
             */
            name: string | null;
            /**
             * @description `active`: matches and searches find it until `validUntilUtc`. `paused` and `closed`: only searches that ask for them do. Null on a tombstone.
             * @example active
             */
            status: string | null;
            /**
             * @description Until when it is valid; null for no end.
             * @example 2027-12-31T23:00:00.000Z
             */
            validUntilUtc: string | null;
            /** @description The contact or company of the network for which the team keeps the mandate: one of the two. Null if it is the team's own. */
            investor: components["schemas"]["MandateInvestor"] | null;
            /**
             * @description The wanted uses. Empty: open.
             * @example [
             *       "office"
             *     ]
             */
            categories: string[];
            /**
             * @description The wanted uses, more precisely. Empty: open.
             * @example [
             *       "business_park"
             *     ]
             */
            subcategories: string[];
            /**
             * @description The wanted stages in the life of a property. Empty: open.
             * @example [
             *       "operating"
             *     ]
             */
            lifecycleStages: string[];
            /**
             * @description The wanted tenures. Empty: open.
             * @example [
             *       "freehold"
             *     ]
             */
            tenures: string[];
            /**
             * @description Whether the investor buys the property (`asset`), the company that owns it (`share`), or `either`. Empty: open.
             * @example [
             *       "asset"
             *     ]
             */
            dealStructures: string[];
            /**
             * @description The conversions that the investor is interested in. Empty: open.
             * @example [
             *       "to_residential"
             *     ]
             */
            conversions: string[];
            /**
             * @description The risk profiles of the wanted investments. Empty: open.
             * @example [
             *       "core"
             *     ]
             */
            riskProfiles: string[];
            /**
             * @description What makes a property desirable. A tag cannot be in both lists of tags. Empty: open.
             * @example [
             *       "single_tenant"
             *     ]
             */
            positiveTags: string[];
            /**
             * @description What rules a property out. A tag cannot be in both lists of tags. Empty: open.
             * @example [
             *       "single_tenant"
             *     ]
             */
            negativeTags: string[];
            worstEnergyClass: string | null;
            /**
             * @description What the investor looks for, as free text.
             * @example Buys vacant or nearly vacant halls within an hour of Munich.
             */
            description: string | null;
            /** @description How much the investor invests in one deal. */
            investmentSize: components["schemas"]["PriceRange"] | null;
            /** @description When the building was finished. */
            yearBuilt: components["schemas"]["YearRange"] | null;
            /** @description The area of the parcels. */
            parcelArea: components["schemas"]["AreaRange"] | null;
            /** @description The lettable area. */
            lettableArea: components["schemas"]["AreaRange"] | null;
            /** @description The gross floor area that zoning allows. */
            zoningGfa: components["schemas"]["AreaRange"] | null;
            /** @description The net initial yield. */
            netInitialYield: components["schemas"]["PercentRange"] | null;
            /** @description The vacant part of the lettable area. */
            vacancyRate: components["schemas"]["PercentRange"] | null;
            /** @description The internal rate of return that is aimed at. */
            targetIrr: components["schemas"]["PercentRange"] | null;
            /** @description The weighted average unexpired lease term. */
            wault: components["schemas"]["YearsRange"] | null;
            /** @description The number of units, such as flats. */
            unitCount: components["schemas"]["UnitRange"] | null;
            /** @description The price per square metre of lettable area. */
            pricePerSqm: components["schemas"]["PriceRange"] | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case. Without a `geography`, the place is the whole country; with one, searches by place go by the `geography`.
             * @example DE
             */
            country: string | null;
            externalRefs: components["schemas"]["ExternalRef"][];
            /** @description The place; for a circle, a polygon that approximates it. Null without a place, and for a whole country. */
            geography: components["schemas"]["Geography"] | null;
            /** @description The centre of a place that is a circle; else null. */
            near: components["schemas"]["Near"] | null;
            /**
             * @description The radius in metres of a place that is a circle; else null.
             * @example 60000
             */
            radius: number | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The ids of at most 100 records, and at least one. */
        MandateBatchGet: {
            /**
             * @example [
             *       "mandate_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description The resource was merged into another one. */
        Merged: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "merged";
            /**
             * @description The id of the resource that it was merged into.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            mergedInto: string;
            /** @enum {integer} */
            status: 409;
        };
        /** @description Another resource holds this external reference. */
        ExternalReferenceTaken: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "external_reference_taken";
            /**
             * @description The id of the resource that holds the reference.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            holderId: string;
            /** @example crm */
            namespace: string;
            /** @example 8812 */
            externalId: string;
            /** @enum {integer} */
            status: 409;
        };
        /** @description The mandate after a write. */
        WrittenMandate: components["schemas"]["Mandate"] & {
            resolvedLocation?: components["schemas"]["ResolvedLocation"];
        };
        /** @description What `location` was resolved to, if the request had one. No read answers it. */
        ResolvedLocation: {
            /**
             * @description The name of the place.
             * @example München
             */
            name: string;
            /**
             * @description The kind of the place. Known values: `city`, `region`, `country`, `group`. Later versions may add more.
             * @example city
             */
            kind: string;
            /**
             * @description ISO 3166-1 alpha-2, or XK for Kosovo; null for a group of countries.
             * @example DE
             */
            country: string | null;
            /**
             * @description The region that it is in.
             * @example Bavaria
             */
            region: string | null;
            /**
             * @description Of a point in it, in degrees.
             * @example 48.1372
             */
            latitude: number;
            /**
             * @description Of a point in it, in degrees.
             * @example 11.5755
             */
            longitude: number;
            /**
             * @description Where the data are from, with what their licence asks for.
             * @example GeoNames (CC BY 4.0)
             */
            source: string;
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay, null clears, arrays and ranges replace. Read-only members may be sent with their present value. A place replaces the present one, whatever its mode; members of the place with their present values do not count.
         * @example {
         *       "status": "paused",
         *       "categories": [
         *         "logistics"
         *       ]
         *     }
         */
        MandatePatch: {
            /** @example Value-add logistics, greater Munich */
            name?: string;
            /**
             * @description `active`: matches and searches find it until `validUntilUtc`. `paused` and `closed`: only searches that ask for them do. A new mandate is `active`.
             * @example active
             * @enum {string}
             */
            status?: "active" | "paused" | "closed";
            /**
             * @description Until when it is valid; null for no end. ISO 8601.
             * @example 2027-12-31T23:00:00Z
             */
            validUntilUtc?: string | null;
            /** @description The contact or company of the network for which the team keeps the mandate: one of the two. Null if it is the team's own. */
            investor?: components["schemas"]["MandateInvestorInput"] | null;
            /**
             * @description The wanted uses. Empty: open. The whole list; each value counts once.
             * @example [
             *       "office"
             *     ]
             */
            categories?: ("office" | "retail" | "logistics" | "light_industrial" | "residential" | "student_housing" | "senior_living" | "healthcare" | "hotel" | "leisure" | "mixed_use" | "data_centre" | "life_science" | "self_storage" | "parking" | "education" | "public" | "land" | "other")[];
            /**
             * @description The wanted uses, more precisely. Empty: open. The whole list; each value counts once.
             * @example [
             *       "business_park"
             *     ]
             */
            subcategories?: ("business_park" | "serviced_office" | "medical_office" | "high_street" | "shopping_centre" | "retail_park" | "supermarket" | "showroom" | "distribution_warehouse" | "cold_storage" | "manufacturing" | "trade_counter" | "workshop" | "care_home" | "clinic" | "resort" | "restaurant" | "multifamily" | "development_site" | "petrol_station")[];
            /**
             * @description The wanted stages in the life of a property. Empty: open. The whole list; each value counts once.
             * @example [
             *       "operating"
             *     ]
             */
            lifecycleStages?: ("operating" | "refurbishment" | "development" | "pre_development" | "land")[];
            /**
             * @description The wanted tenures. Empty: open. The whole list; each value counts once.
             * @example [
             *       "freehold"
             *     ]
             */
            tenures?: ("freehold" | "leasehold" | "ground_lease" | "condominium" | "share_of_freehold" | "mixed" | "other")[];
            /**
             * @description Whether the investor buys the property (`asset`), the company that owns it (`share`), or `either`. Empty: open. The whole list; each value counts once.
             * @example [
             *       "asset"
             *     ]
             */
            dealStructures?: ("asset" | "share" | "either")[];
            /**
             * @description The conversions that the investor is interested in. Empty: open. The whole list; each value counts once.
             * @example [
             *       "to_residential"
             *     ]
             */
            conversions?: ("to_residential" | "to_student_housing" | "to_senior_living" | "to_hotel" | "to_office" | "to_retail" | "to_logistics" | "to_healthcare" | "to_data_centre" | "densification" | "demolition")[];
            /**
             * @description The risk profiles of the wanted investments. Empty: open. The whole list; each value counts once.
             * @example [
             *       "core"
             *     ]
             */
            riskProfiles?: ("core" | "core_plus" | "value_add" | "opportunistic")[];
            /**
             * @description What makes a property desirable. A tag cannot be in both lists of tags. Empty: open. The whole list; each value counts once.
             * @example [
             *       "single_tenant"
             *     ]
             */
            positiveTags?: ("single_tenant" | "multi_tenant" | "fully_let" | "partly_vacant" | "vacant_possession" | "long_lease" | "short_lease" | "indexed_rent" | "public_tenant" | "sale_and_leaseback" | "under_rented" | "over_rented" | "value_add" | "development_potential" | "forward_purchase" | "forward_funding" | "newly_built" | "refurbished" | "heritage_listed" | "contaminated_land" | "distressed_sale" | "portfolio" | "prime_location" | "city_centre" | "out_of_town" | "waterfront" | "rail_access" | "motorway_access" | "airport_nearby" | "esg_certified" | "fossil_heating")[];
            /**
             * @description What rules a property out. A tag cannot be in both lists of tags. Empty: open. The whole list; each value counts once.
             * @example [
             *       "single_tenant"
             *     ]
             */
            negativeTags?: ("single_tenant" | "multi_tenant" | "fully_let" | "partly_vacant" | "vacant_possession" | "long_lease" | "short_lease" | "indexed_rent" | "public_tenant" | "sale_and_leaseback" | "under_rented" | "over_rented" | "value_add" | "development_potential" | "forward_purchase" | "forward_funding" | "newly_built" | "refurbished" | "heritage_listed" | "contaminated_land" | "distressed_sale" | "portfolio" | "prime_location" | "city_centre" | "out_of_town" | "waterfront" | "rail_access" | "motorway_access" | "airport_nearby" | "esg_certified" | "fossil_heating")[];
            /**
             * @description The worst class of the energy certificate that is accepted.
             * @example d
             */
            worstEnergyClass?: ("a_plus" | "a0" | "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h") | null;
            /**
             * @description What the investor looks for, as free text.
             * @example Buys vacant or nearly vacant halls within an hour of Munich.
             */
            description?: string | null;
            /** @description How much the investor invests in one deal. */
            investmentSize?: components["schemas"]["PriceRange"] | null;
            /** @description When the building was finished. */
            yearBuilt?: components["schemas"]["YearRange"] | null;
            /** @description The area of the parcels. */
            parcelArea?: components["schemas"]["AreaRange"] | null;
            /** @description The lettable area. */
            lettableArea?: components["schemas"]["AreaRange"] | null;
            /** @description The gross floor area that zoning allows. */
            zoningGfa?: components["schemas"]["AreaRange"] | null;
            /** @description The net initial yield. */
            netInitialYield?: components["schemas"]["PercentRange"] | null;
            /** @description The vacant part of the lettable area. */
            vacancyRate?: components["schemas"]["PercentRange"] | null;
            /** @description The internal rate of return that is aimed at. */
            targetIrr?: components["schemas"]["PercentRange"] | null;
            /** @description The weighted average unexpired lease term. */
            wault?: components["schemas"]["YearsRange"] | null;
            /** @description The number of units, such as flats. */
            unitCount?: components["schemas"]["UnitRange"] | null;
            /** @description The price per square metre of lettable area. */
            pricePerSqm?: components["schemas"]["PriceRange"] | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case. Without a `geography`, the place is the whole country; with one, searches by place go by the `geography`.
             * @example DE
             */
            country?: string | null;
            /** @description The names of the mandate in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
            /** @description The place as GeoJSON. Null clears the place. */
            geography?: components["schemas"]["Geography"] | null;
            /** @description The centre of a circle, with `radius`. Null clears the place. */
            near?: components["schemas"]["Near"] | null;
            /**
             * @description The radius of the circle in metres, with `near`. Null clears the place.
             * @example 60000
             */
            radius?: number | null;
            /**
             * @description The place by its name, such as `Munich`, `Bavaria` or `Frankfurt (Oder)`, which the service resolves itself. The fault of a name that is not known is `location_unknown`; of one that means several places of like size, `location_ambiguous`; both list spellings that resolve.
             * @example Munich
             */
            location?: string;
        };
        /**
         * @description A new mandate. Its place has at most one mode: `geography`, `near` with `radius`, or `location`.
         * @example {
         *       "name": "Value-add logistics, greater Munich",
         *       "categories": [
         *         "logistics",
         *         "light_industrial"
         *       ],
         *       "riskProfiles": [
         *         "value_add"
         *       ],
         *       "investmentSize": {
         *         "min": 5,
         *         "max": 25,
         *         "currency": "EUR",
         *         "scale": "million"
         *       },
         *       "lettableArea": {
         *         "min": 3000,
         *         "max": null,
         *         "unit": "sqm"
         *       },
         *       "positiveTags": [
         *         "motorway_access",
         *         "partly_vacant"
         *       ],
         *       "negativeTags": [
         *         "contaminated_land"
         *       ],
         *       "near": {
         *         "latitude": 48.1372,
         *         "longitude": 11.5755
         *       },
         *       "radius": 60000,
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "m-88"
         *         }
         *       ]
         *     }
         */
        MandateCreate: components["schemas"]["MandatePatch"] & {
            /** @example Value-add logistics, greater Munich */
            name: string;
        };
        /** @description A page of a list. */
        MandatePage: {
            data: components["schemas"]["Mandate"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        DeltaPageInfo: {
            /**
             * @description Where the next page begins; null on the last page.
             * @example null
             */
            nextCursor: string | null;
            /**
             * @description The requested number of rows per page.
             * @example 50
             */
            pageSize: number;
            /**
             * @description Whether another page follows.
             * @example false
             */
            hasMore: boolean;
            /**
             * @description The `updated_since` of the next delta of this list; null on pages before the last. A delta from here has every later change, and nothing again that was on these pages. Opaque; it does not expire.
             * @example WyJDb250YWN0cyIsIjAxOWFhYiJd
             */
            nextSince: string | null;
        };
        /** @description The project is closed. */
        ProjectClosed: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "project_closed";
            /** @enum {integer} */
            status: 409;
        };
        /** @description A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes. */
        Teaser: {
            /**
             * @description How far the teaser is: the last of these that it reached. `property_added`: there is none yet; `drafting`: it is being written. Known values: `property_added`, `drafting`, `published`, `verified`, `communicated`. Later versions may add more.
             * @example property_added
             */
            stage: string;
            /**
             * @description When it was published.
             * @example null
             */
            publishedUtc: string | null;
            /**
             * @description When the operator verified it.
             * @example null
             */
            verifiedUtc: string | null;
            /**
             * @description When it was first communicated.
             * @example null
             */
            communicatedUtc: string | null;
            options: components["schemas"]["TeaserOptions"];
            template: components["schemas"]["TeaserTemplate"];
            /**
             * @description The tags to show. Once the teaser is written, they stay when those of the properties change; before, they are those of the properties.
             * @example [
             *       "single_tenant"
             *     ]
             */
            tags: string[];
            /**
             * @description The title that the broker wrote; null if it is composed.
             * @example Core office, Bavaria
             */
            title: string | null;
            projection: components["schemas"]["TeaserProjection"];
            /**
             * @description `true` on the free plan, which shows only `hidden`, `country` and `range`. What was stored under another plan stays, and is shown again under such a plan.
             * @example true
             */
            clamped?: boolean;
            nudge?: components["schemas"]["TeaserNudge"];
            createdUtc: string | null;
            updatedUtc: string | null;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            changeType: string | null;
            changeOrigin: string | null;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description What is still to do: the first PATCH does it. */
        TeaserNudge: {
            /**
             * @description `no_pre_market_yet`: the property has no teaser. `room_teaser_not_designed`: this is the teaser of the project, since the room has none of its own. Known values: `no_pre_market_yet`, `room_teaser_not_designed`. Later versions may add more.
             * @example no_pre_market_yet
             */
            code: string;
        };
        /** @description What investors see. What is hidden looks like what is not known: null, or an empty list. An exact value has `min` equal to `max`; under `range`, the ends are those of a fixed grid (1, 2, 5, 10, 20, 50 …; years by decades), and never equal. */
        TeaserProjection: {
            /**
             * @description The title: the broker's, or one that is composed from the categories and the place in the language of the caller.
             * @example Office, Germany
             */
            title: string | null;
            /**
             * @description The uses.
             * @example [
             *       "office"
             *     ]
             */
            categories: string[];
            /** @description The country. */
            country: string | null;
            /**
             * @description The state, province or region.
             * @example Bayern
             */
            region: string | null;
            /**
             * @description The town or city.
             * @example München
             */
            locality: string | null;
            address: components["schemas"]["TeaserAddress"] | null;
            /** @description The asking price; null where prices have several currencies. */
            price: components["schemas"]["PriceRange"] | null;
            /** @description The asking prices, one for each currency. */
            prices: components["schemas"]["PriceRange"][];
            /** @description The net initial yield. */
            yield: components["schemas"]["TeaserYield"] | null;
            /** @description The area: what can be let, or else the gross floor area, or else the land. */
            area: components["schemas"]["AreaRange"] | null;
            /** @description The year of construction. */
            yearBuilt: components["schemas"]["TeaserYears"] | null;
            /** @description What may be built. */
            zoning: {
                gfa: components["schemas"]["AreaRange_1"];
            } | null;
            tenure: string | null;
            /**
             * @description What else describes the property.
             * @example [
             *       "single_tenant"
             *     ]
             */
            tags: string[];
            /**
             * @description What the property can be converted to.
             * @example [
             *       "to_residential"
             *     ]
             */
            conversions: string[];
            /** @description The energy certificate. */
            energy: {
                /**
                 * @description The energy class; of several, the worst. Known values: `a_plus`, `a0`, `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`. Later versions may add more.
                 * @example a_plus
                 */
                class: string;
            } | null;
            /** @description The weighted average unexpired lease term. */
            wault: components["schemas"]["YearsRange"] | null;
            /** @description The tenants, or only their sectors, each once. */
            tenants: components["schemas"]["TeaserTenant"][];
        };
        /** @description A tenant. */
        TeaserTenant: {
            /**
             * @description The name; null unless `tenants` is `named`.
             * @example Nordlicht Software GmbH
             */
            name: string | null;
            sector: string | null;
        };
        /** @description The gross floor area that may be built. */
        AreaRange_1: {
            /**
             * @description The smallest area; null when this end is open.
             * @example 2000
             */
            min: number | null;
            /**
             * @description The largest area; null when this end is open.
             * @example 20000
             */
            max: number | null;
            /**
             * @description Square metres.
             * @example sqm
             * @enum {string}
             */
            unit: "sqm";
        };
        /** @description A range of years of the calendar. */
        TeaserYears: {
            /**
             * @description The first year.
             * @example 1990
             */
            min: number;
            /**
             * @description The last year.
             * @example 2000
             */
            max: number;
        };
        /** @description A range of yields. */
        TeaserYield: {
            /**
             * @description The lowest yield.
             * @example 2
             */
            min: number;
            /**
             * @description The highest yield.
             * @example 5
             */
            max: number;
            /**
             * @description Percent.
             * @example percent
             * @enum {string}
             */
            unit: "percent";
        };
        /** @description The postal address. */
        TeaserAddress: {
            /**
             * @description The street.
             * @example Landsberger Straße
             */
            street: string | null;
            /**
             * @description The house number.
             * @example 84a
             */
            houseNumber: string | null;
            /**
             * @description The postal code.
             * @example 80339
             */
            postalCode: string | null;
        };
        /** @description What the properties, as they are now, and the plan of the team leave to choose from: the modes of each part, the most discreet one first, and the tags. */
        TeaserTemplate: {
            /** @description The modes of `location`. */
            location: string[];
            /** @description The modes of `categories`. */
            categories: string[];
            /** @description The modes of `price`. */
            price: string[];
            /** @description The modes of `yield`. */
            yield: string[];
            /** @description The modes of `area`. */
            area: string[];
            /** @description The modes of `yearBuilt`. */
            yearBuilt: string[];
            /** @description The modes of `zoning`. */
            zoning: string[];
            /** @description The modes of `tenure`. */
            tenure: string[];
            /** @description The modes of `conversions`. */
            conversions: string[];
            /** @description The modes of `energy`. */
            energy: string[];
            /** @description The modes of `wault`. */
            wault: string[];
            /** @description The modes of `tenants`. */
            tenants: string[];
            /**
             * @description The tags of the properties, of which the teaser can show some. `options.tags` can be `hidden`, and `shown` if there are any.
             * @example [
             *       "single_tenant"
             *     ]
             */
            tags: string[];
        };
        /** @description The mode of each part. A part that was never set has the most discreet mode of `template` that is not `hidden`. */
        TeaserOptions: {
            /**
             * @description How precisely the place is shown. Known values: `hidden`, `country`, `region`, `locality`, `address`. Later versions may add more.
             * @example hidden
             */
            location: string;
            /**
             * @description Whether the uses are shown. Known values: `hidden`, `shown`. Later versions may add more.
             * @example hidden
             */
            categories: string;
            /**
             * @description How precisely the asking price is shown. Known values: `hidden`, `range`, `exact`. Later versions may add more.
             * @example hidden
             */
            price: string;
            /**
             * @description How precisely the net initial yield is shown. Known values: `hidden`, `range`, `exact`. Later versions may add more.
             * @example hidden
             */
            yield: string;
            /**
             * @description How precisely the area is shown. Known values: `hidden`, `range`, `exact`. Later versions may add more.
             * @example hidden
             */
            area: string;
            /**
             * @description How precisely the year of construction is shown. Known values: `hidden`, `range`, `exact`. Later versions may add more.
             * @example hidden
             */
            yearBuilt: string;
            /**
             * @description How precisely the floor area that may be built is shown. Known values: `hidden`, `range`, `exact`. Later versions may add more.
             * @example hidden
             */
            zoning: string;
            /**
             * @description Whether the tenure is shown. Known values: `hidden`, `shown`. Later versions may add more.
             * @example hidden
             */
            tenure: string;
            /**
             * @description Whether the tags are shown. Known values: `hidden`, `shown`. Later versions may add more.
             * @example hidden
             */
            tags: string;
            /**
             * @description Whether the conversions are shown. Known values: `hidden`, `shown`. Later versions may add more.
             * @example hidden
             */
            conversions: string;
            /**
             * @description Whether the energy class is shown. Known values: `hidden`, `shown`. Later versions may add more.
             * @example hidden
             */
            energy: string;
            /**
             * @description Whether the remaining term of the leases is shown. Known values: `hidden`, `shown`. Later versions may add more.
             * @example hidden
             */
            wault: string;
            /**
             * @description Whether the tenants are shown, by their sectors or their names. Known values: `hidden`, `sector`, `named`. Later versions may add more.
             * @example hidden
             */
            tenants: string;
        };
        /**
         * @description A merge patch (RFC 7396): omitted members and options stay. Read-only members may be sent with their present value.
         * @example {
         *       "options": {
         *         "location": null,
         *         "tenants": "hidden"
         *       },
         *       "tags": [
         *         "single_tenant"
         *       ]
         *     }
         */
        TeaserPatch: {
            options?: components["schemas"]["TeaserOptionsPatch"];
            /**
             * @description The tags to show: the whole list, each once. Those that `template.tags` does not have are left out. Null: the `template.tags` of this moment.
             * @example [
             *       "single_tenant"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description The title. Null: it is composed. One that names the property, a tenant or a place that is hidden is rejected with 400.
             * @example Core office, Bavaria
             */
            title?: string | null;
        };
        /** @description The modes to change. Null: as if the mode was never set. One that `template` does not have is rejected with 400. */
        TeaserOptionsPatch: {
            /** @description How precisely the place is shown. */
            location?: ("hidden" | "country" | "region" | "locality" | "address") | null;
            /** @description Whether the uses are shown. */
            categories?: ("hidden" | "shown") | null;
            /** @description How precisely the asking price is shown. */
            price?: ("hidden" | "range" | "exact") | null;
            /** @description How precisely the net initial yield is shown. */
            yield?: ("hidden" | "range" | "exact") | null;
            /** @description How precisely the area is shown. */
            area?: ("hidden" | "range" | "exact") | null;
            /** @description How precisely the year of construction is shown. */
            yearBuilt?: ("hidden" | "range" | "exact") | null;
            /** @description How precisely the floor area that may be built is shown. */
            zoning?: ("hidden" | "range" | "exact") | null;
            /** @description Whether the tenure is shown. */
            tenure?: ("hidden" | "shown") | null;
            /** @description Whether the tags are shown. */
            tags?: ("hidden" | "shown") | null;
            /** @description Whether the conversions are shown. */
            conversions?: ("hidden" | "shown") | null;
            /** @description Whether the energy class is shown. */
            energy?: ("hidden" | "shown") | null;
            /** @description Whether the remaining term of the leases is shown. */
            wault?: ("hidden" | "shown") | null;
            /** @description Whether the tenants are shown, by their sectors or their names. */
            tenants?: ("hidden" | "sector" | "named") | null;
        };
        /** @description A teaser that the team received from a broker, or an invitation to a data room. */
        Offer: {
            /**
             * @description An opaque identifier: `offer_` and 26 characters.
             * @example offer_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description `unanswered`: a teaser that waits for an answer. `pending`: an invitation, or the offer of the seller, that does. `accepted`, `rejected`: the answer. `expired`: there was none until `expiresUtc`. `removed`: by the team, or withdrawn by the broker. `closed`: the broker closed the project. Known values: `unanswered`, `pending`, `accepted`, `rejected`, `expired`, `removed`, `closed`. Later versions may add more.
             * @example unanswered
             */
            status: string;
            /**
             * @description `buying`: a teaser. `invitation`: access to a data room without one. `selling`: the team is the seller. Known values: `buying`, `invitation`, `selling`. Later versions may add more.
             * @example buying
             */
            category: string;
            /**
             * @description What the team can do with the offer.
             * @example [
             *       "chat"
             *     ]
             */
            capabilities: string[];
            /** @description What the broker shows, as it was communicated last; null for an invitation without a teaser. */
            teaser: components["schemas"]["TeaserProjection"] | null;
            /** @description The broker; null until the offer is accepted. */
            brokerContact: components["schemas"]["TeamContactPersonSummary"] | null;
            recipient: components["schemas"]["OfferRecipient"];
            /**
             * @description The data room to which the team has access now; else null.
             * @example null
             */
            roomId: string | null;
            /**
             * @description The team's own active mandates that the teaser fits, as far as it shows, the best first; at most 20. Of a range, the value counts that fits best.
             * @example [
             *       "mandate_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            matchedMandateIds: string[];
            /**
             * Format: date-time
             * @description When the team received it.
             * @example 2026-11-21T09:30:00.000Z
             */
            receivedUtc: string;
            /**
             * @description When a user of the team first read it, or answered it; null if nobody did.
             * @example null
             */
            readUtc: string | null;
            /**
             * @description When it was accepted or rejected.
             * @example null
             */
            answeredUtc: string | null;
            /**
             * @description Until when it can be answered; null for no end.
             * @example null
             */
            expiresUtc: string | null;
            /**
             * @description What the team gave as its reason for rejecting it.
             * @example null
             */
            rejectionReason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The user of the team to whom it was addressed. */
        OfferRecipient: {
            /**
             * @description An opaque identifier: `user_` and 26 characters.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @example Nora Lind */
            name: string;
        };
        /** @description The team's designated contact person. */
        TeamContactPersonSummary: {
            /**
             * @description An opaque identifier: `user_` and 26 characters.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The display name.
             * @example Anna Berg
             */
            name: string;
            email: string | null;
            /**
             * @description Phone number.
             * @example +49 30 1234567
             */
            phone: string | null;
            /**
             * @description Absolute URL of the avatar.
             * @example https://cdn.example.com/anna.png
             */
            profilePictureUrl: string | null;
        };
        /** @description A page of a list. */
        OfferPage: {
            data: components["schemas"]["Offer"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description A data room of a project, with what is in it. */
        RoomDetails: components["schemas"]["Room"] & {
            qa: components["schemas"]["RoomQa"];
            /** @description The prospects that have access now, by the time of the grant. */
            members: components["schemas"]["RoomMember"][];
            /** @description The documents in their latest versions, by path. */
            documents: components["schemas"]["RoomDocument"][];
        };
        /** @description A document of a data room, in its latest version. */
        RoomDocument: {
            /**
             * @description The id of the file that is this version. Its content is at `/api/v1/files/{id}/content`.
             * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The last part of its path.
             * @example rent-roll.pdf
             */
            name: string;
            /**
             * @description Its folders and its name. Uploading to the same path makes another version.
             * @example Leases/rent-roll.pdf
             */
            path: string;
            /**
             * @description The number of the version, from 1. That of a deleted version is not used again.
             * @example 1
             */
            version: number;
            /** @example application/pdf */
            contentType: string;
            /**
             * @description The length of the content, in bytes.
             * @example 48213
             */
            size: number;
            /**
             * @description The SHA-256 of the content, in lower-case hexadecimal.
             * @example 77f2562d5340c7d17dc4f73b8ba2a17e811ec5fe1c975389f1620747ec6e706a
             */
            sha256: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            uploadedUtc: string;
        };
        /** @description A prospect that has access to a data room. */
        RoomMember: {
            /**
             * @description An opaque identifier: `prospect_` and 26 characters.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            prospectId: string;
            name: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            grantedUtc: string;
            /**
             * @description When the access ends; null: never.
             * @example null
             */
            accessExpiryUtc: string | null;
        };
        /** @description The questions of a room: how many there are, and which it takes. */
        RoomQa: {
            /**
             * @description Whether the room takes questions while it is open.
             * @example true
             */
            enabled: boolean;
            /**
             * @description The number of open questions without a draft.
             * @example 1
             */
            open: number;
            /**
             * @description The number of questions whose answer is drafted.
             * @example 1
             */
            drafted: number;
            /**
             * @description The number of answered questions.
             * @example 1
             */
            answered: number;
            /**
             * @description The number of open and drafted questions whose `dueUtc` has passed.
             * @example 1
             */
            overdue: number;
            /**
             * @description How many questions each prospect may ask; null for any number.
             * @example null
             */
            limitPerProspect: number | null;
            /**
             * @description Until when questions are taken; null while the room is open.
             * @example null
             */
            deadlineUtc: string | null;
            categories: string[];
        };
        /** @description A page of a list. */
        RoomPage: {
            data: components["schemas"]["Room"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description A data room of a project. */
        Room: {
            /**
             * @description An opaque identifier: `room_` and 26 characters.
             * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description An opaque identifier: `project_` and 26 characters.
             * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            projectId: string;
            /** @example Due diligence */
            name: string;
            /**
             * @description The state of the room. When its project is closed, an open room is `winding_down`: its members can read it for 14 days, and then it is closed. Known values: `draft`, `open`, `winding_down`, `closed`. Later versions may add more.
             * @example draft
             */
            status: string;
            /** @description When it was opened. */
            openedUtc: string | null;
            /**
             * @description When it was closed; null while it is not.
             * @example null
             */
            closedUtc: string | null;
            /**
             * @description Whether investors need a non-disclosure agreement for it.
             * @example false
             */
            ndaRequired: boolean;
            /** @description For how long access is granted, unless the grant says otherwise; null: without an end. */
            defaultAccess: string | null;
            /**
             * @description The number of prospects that have access now.
             * @example 3
             */
            memberCount: number;
            /**
             * @description The number of documents; versions of one count once.
             * @example 12
             */
            documentCount: number;
            /**
             * @description The number of questions that are open or have a drafted answer.
             * @example 2
             */
            openQuestionCount: number;
            /**
             * @description The stage of the room's teaser, which is that of the project until the room has one of its own. Known values: `property_added`, `drafting`, `published`, `verified`, `communicated`. Later versions may add more.
             * @example property_added
             */
            teaserStage: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description If-Match is required. */
        PreconditionRequired: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "precondition_required";
            /** @enum {integer} */
            status: 428;
        };
        /** @description The prospect was removed from the list. */
        ProspectRemoved: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "prospect_removed";
            /** @enum {integer} */
            status: 409;
        };
        /** @description The note's state does not allow this. */
        NoteMoveRefused: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "note_move_refused";
            /**
             * @description The current state of the note.
             * @enum {string}
             */
            state: "active" | "archived" | "superseded" | "archived_superseded";
            /**
             * @description The action of the request.
             * @enum {string}
             */
            action: "archive" | "unarchive" | "supersede";
            /** @enum {integer} */
            status: 400;
        };
        /**
         * @description A change of a note's state, or its replacement by a new revision.
         * @example {
         *       "action": "supersede",
         *       "supersede": {
         *         "message": "Looks for logistics in Milan and Turin."
         *       }
         *     }
         */
        NoteRevision: {
            /**
             * @description The action.
             * @example archive
             * @enum {string}
             */
            action: "archive" | "unarchive" | "supersede";
            supersede?: components["schemas"]["NoteReplacement"];
        };
        /** @description The text of the new revision. Required with the action `supersede`, and refused with others. */
        NoteReplacement: {
            /**
             * @description Defaults to the value of the note that it replaces.
             * @example Looks for logistics in Milan, **10–25 M EUR**.
             */
            message?: string;
            /**
             * @description Defaults to the value of the note that it replaces.
             * @example markdown
             * @enum {string}
             */
            contentFormat?: "plaintext" | "markdown";
        };
        /**
         * @description A note: a row of the timelines of its subjects.
         * @example {
         *       "id": "act_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "type": "note",
         *       "event": null,
         *       "occurredUtc": "2026-11-21T09:30:00.000Z",
         *       "actor": {
         *         "id": "user_01kb3n7x2ferwt5z8q4j6m9d0c",
         *         "name": "Anna Berg"
         *       },
         *       "details": {
         *         "kind": "note",
         *         "message": "Looks for logistics in Milan.",
         *         "archivedAt": null
         *       },
         *       "etag": "\"v1\"",
         *       "archivedAt": null,
         *       "contentFormat": null
         *     }
         */
        Note: {
            /**
             * @description An opaque identifier: `act_` and 26 characters.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            occurredUtc: string;
            actor: components["schemas"]["ActionActor"];
            /** @enum {string} */
            type: "note";
            /** @description Always null on notes. */
            event: null;
            details: components["schemas"]["NoteDetails"];
            /**
             * @description The ETag of a note, with its quotes, for `If-Match` when you archive or supersede it.
             * @example "v1"
             */
            etag: string;
            /**
             * @description When the note was archived; null if it is not archived.
             * @example null
             */
            archivedAt: string | null;
            contentFormat: string | null;
            /**
             * @description The id of the note that this one replaced.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            supersedesActivityId?: string;
            /**
             * @description The id of the note that replaced this one.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            supersededByActivityId?: string;
        };
        /**
         * @description A new note.
         * @example {
         *       "message": "Looks for logistics in Milan, **10–25 M EUR**.",
         *       "contentFormat": "markdown"
         *     }
         */
        NoteCreate: {
            /**
             * @description The text of the note: 1 to 20,000 characters, without surrounding white space.
             * @example Looks for logistics in Milan, **10–25 M EUR**.
             */
            message: string;
            /**
             * @description Defaults to `plaintext`.
             * @example markdown
             * @enum {string}
             */
            contentFormat?: "plaintext" | "markdown";
        };
        /** @description A page of a list. */
        NotePage: {
            data: components["schemas"]["Note"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description The state of the room or of its project does not allow this. */
        RoomRefused: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "room_refused";
            /** @enum {integer} */
            status: 409;
        };
        /** @description The question's state does not allow this. */
        QuestionMoveRefused: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "question_move_refused";
            /**
             * @description The question's present state.
             * @enum {string}
             */
            from: "open" | "drafted" | "answered" | "closed";
            /**
             * @description The refused move.
             * @enum {string}
             */
            move: "update" | "draft" | "answer" | "close";
            /** @enum {integer} */
            status: 409;
        };
        /** @description A question in a data room. */
        Question: {
            /**
             * @description An opaque identifier: `question_` and 26 characters.
             * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description An opaque identifier: `room_` and 26 characters.
             * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            roomId: string;
            /**
             * @description Its number in the room, counted from 1 without gaps.
             * @example 12
             */
            number: number;
            /** @example Which tenants have a right to terminate before 2028? */
            text: string;
            /**
             * @description What it is about. Known values: `legal`, `financial`, `technical`, `environmental`, `tax`, `leases`, `planning`, `other`. Later versions may add more.
             * @example legal
             */
            category: string;
            /** @description The document of the room that it is about; null if it names none. */
            document: {
                /**
                 * @description An opaque identifier: `file_` and 26 characters.
                 * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                fileId: string;
                /** @example Rent roll 2026.pdf */
                name: string;
                page: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When it was asked.
             * @example 2026-11-21T09:30:00.000Z
             */
            askedUtc: string;
            /**
             * @description How soon it is to be answered. Known values: `low`, `normal`, `high`, `urgent`. Later versions may add more.
             * @example low
             */
            priority: string;
            /**
             * @description The state of the question. Known values: `open`, `drafted`, `answered`, `closed`. Later versions may add more.
             * @example open
             */
            status: string;
            /** @description Who answers it; null if nobody is assigned. */
            assignee: components["schemas"]["NamedUser"] | null;
            /** @description The prospect who asked, by the name of then. No investor sees it. Null once the prospect was purged. */
            askedBy: {
                /**
                 * @description An opaque identifier: `prospect_` and 26 characters.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                prospectId: string;
                name: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When it is to be answered: 1 day after it was asked if `urgent`, 3 if `high`, 7 if `normal`, 14 if `low`.
             * @example 2026-11-21T09:30:00.000Z
             */
            dueUtc: string;
            /** @description The draft of an answer. It is internal: it is never sent, and no investor sees it. Null without one, and once an answer was published. */
            draftAnswer: components["schemas"]["DraftAnswer"] | null;
            /** @description The published answer; null before. */
            answer: components["schemas"]["Answer"] | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The published answer to a question. */
        Answer: {
            /** @example Only the tenant of the ground floor, in 2027. */
            text: string;
            /**
             * @description Whom it reaches: the asker, or all investors with access to the room. Known values: `asker`, `all`. Later versions may add more.
             * @example asker
             */
            audience: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            publishedUtc: string;
        };
        DraftAnswer: {
            /** @example To be confirmed by the property manager. */
            text: string;
            /**
             * @description The format of the text. Known values: `plaintext`, `markdown`. Later versions may add more.
             * @example plaintext
             */
            contentFormat: string;
            /** @description Who wrote it last; null if the operator did. */
            author: components["schemas"]["NamedUser"] | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
        };
        /** @description A member of the team. */
        NamedUser: {
            /**
             * @description An opaque identifier: `user_` and 26 characters.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @example Anna Berg */
            name: string;
        };
        /**
         * @description The draft of an answer, which replaces the one before.
         * @example {
         *       "text": "To be confirmed by the property manager.",
         *       "contentFormat": "plaintext"
         *     }
         */
        DraftAnswerInput: {
            /**
             * @description The draft: 1 to 20,000 characters, without surrounding white space.
             * @example To be confirmed by the property manager.
             */
            text: string;
            /**
             * @description The format of the text. Defaults to `plaintext`.
             * @example plaintext
             * @enum {string}
             */
            contentFormat?: "plaintext" | "markdown";
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay. Read-only members may be sent with their present value.
         * @example {
         *       "priority": "high",
         *       "assignee": "me"
         *     }
         */
        QuestionPatch: {
            /**
             * @description What it is about.
             * @example leases
             * @enum {string}
             */
            category?: "legal" | "financial" | "technical" | "environmental" | "tax" | "leases" | "planning" | "other";
            /**
             * @description How soon it is to be answered. Sets `dueUtc`.
             * @example high
             * @enum {string}
             */
            priority?: "low" | "normal" | "high" | "urgent";
            /**
             * @description Who answers it: the id of an active member of the team, or `me`; null for nobody. May be sent back as answered.
             * @example me
             */
            assignee?: string | null;
        };
        /** @description A page of a list. */
        QuestionPage: {
            data: components["schemas"]["Question"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description The task's state does not allow this. */
        TaskMoveRefused: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "task_move_refused";
            /**
             * @description The task's present state.
             * @enum {string}
             */
            from: "open" | "completed" | "canceled";
            /**
             * @description The refused move; `update` if it was a patch.
             * @enum {string}
             */
            move: "complete" | "cancel" | "reopen" | "update";
            /** @enum {integer} */
            status: 400;
        };
        /** @description A follow-up task of a prospect. */
        Task: {
            /**
             * @description An opaque identifier: `task_` and 26 characters.
             * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description An opaque identifier: `project_` and 26 characters.
             * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            projectId: string;
            /**
             * @description An opaque identifier: `prospect_` and 26 characters.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            prospectId: string;
            /**
             * @description The type of the task. Known values: `call`, `meeting`, `email`. Later versions may add more.
             * @example call
             */
            type: string;
            /**
             * @description The state of the task. Known values: `open`, `completed`, `canceled`. Later versions may add more.
             * @example open
             */
            status: string;
            /**
             * Format: date-time
             * @description The due date, as its midnight in UTC.
             * @example 2026-11-28T00:00:00.000Z
             */
            dueDateUtc: string;
            /**
             * @description Whether it is open and its due date is before today in UTC.
             * @example false
             */
            overdue: boolean;
            assignee: components["schemas"]["NamedUser"];
            note: string | null;
            /** @description The user who created it; null if the operator did. */
            createdBy: components["schemas"]["NamedUser"] | null;
            /**
             * @description When it was completed; null otherwise.
             * @example null
             */
            completedUtc: string | null;
            /**
             * @description The user who completed it; null otherwise, or if the operator did.
             * @example null
             */
            completedBy: components["schemas"]["NamedUser"] | null;
            /**
             * @description When it was canceled; null otherwise.
             * @example null
             */
            canceledUtc: string | null;
            /**
             * @description The user who canceled it; null otherwise, or if the operator did.
             * @example null
             */
            canceledBy: components["schemas"]["NamedUser"] | null;
            /**
             * @description The id of its `prospect.task_added` row in the timeline, which paths accept in place of the task's id.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            activityId: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay, null clears the note. Read-only members may be sent with their present value.
         * @example {
         *       "dueDate": "3d",
         *       "note": "Ask again."
         *     }
         */
        TaskPatch: {
            /**
             * @description The type of the task.
             * @example call
             * @enum {string}
             */
            type?: "call" | "meeting" | "email";
            /**
             * @description The due date in UTC: `today`, `tomorrow`, a number of days (`7d`; at most four digits), or an ISO 8601 date or date and time, whose day in UTC counts. A day in the past is accepted; the task is then overdue.
             * @example 7d
             */
            dueDate?: string;
            /**
             * @description The assigned user: the id of an active member of the team, or `me`. May be sent back as answered.
             * @example me
             */
            assignee?: string;
            /**
             * @description A description of the task.
             * @example Ask for the numbers of 2025.
             */
            note?: string | null;
        };
        /**
         * @description A new follow-up task.
         * @example {
         *       "type": "call",
         *       "dueDate": "7d",
         *       "assignee": "me",
         *       "note": "Ask for the numbers of 2025."
         *     }
         */
        TaskCreate: {
            /**
             * @description The type of the task.
             * @example call
             * @enum {string}
             */
            type: "call" | "meeting" | "email";
            /**
             * @description The due date in UTC: `today`, `tomorrow`, a number of days (`7d`; at most four digits), or an ISO 8601 date or date and time, whose day in UTC counts. A day in the past is accepted; the task is then overdue.
             * @example 7d
             */
            dueDate: string;
            /**
             * @description The assigned user: the id of an active member of the team, or `me`. Defaults to the caller.
             * @example me
             */
            assignee?: string;
            /**
             * @description A description of the task.
             * @example Ask for the numbers of 2025.
             */
            note?: string | null;
        };
        /** @description A page of a list. */
        TaskPage: {
            data: components["schemas"]["Task"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description A page of a list. */
        ListedTaskPage: {
            data: components["schemas"]["ListedTask"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description A follow-up task, as its prospect has it. The tombstone of one that was deleted with its prospect has its id and audit members only; all others are null. */
        ListedTask: {
            /**
             * @description An opaque identifier: `task_` and 26 characters.
             * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            projectId: string | null;
            prospectId: string | null;
            type: string | null;
            status: string | null;
            dueDateUtc: string | null;
            overdue: boolean | null;
            assignee: components["schemas"]["NamedUser"] | null;
            note: string | null;
            /** @description The user who created it; null if the operator did. */
            createdBy: components["schemas"]["NamedUser"] | null;
            /**
             * @description When it was completed; null otherwise.
             * @example null
             */
            completedUtc: string | null;
            /**
             * @description The user who completed it; null otherwise, or if the operator did.
             * @example null
             */
            completedBy: components["schemas"]["NamedUser"] | null;
            /**
             * @description When it was canceled; null otherwise.
             * @example null
             */
            canceledUtc: string | null;
            /**
             * @description The user who canceled it; null otherwise, or if the operator did.
             * @example null
             */
            canceledBy: components["schemas"]["NamedUser"] | null;
            activityId: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The prospect's contact or company was deleted. */
        InvestorDeleted: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "investor_deleted";
            /** @enum {integer} */
            status: 409;
        };
        /** @description The prospect is on the list. */
        ProspectNotRemoved: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "prospect_not_removed";
            /** @enum {integer} */
            status: 409;
        };
        /** @description An investor on a project. The tombstone of a prospect that was deleted or removed from the list only has its audit members and external references. */
        Prospect: {
            /**
             * @description An opaque identifier: `prospect_` and 26 characters.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @description The project. Null on a tombstone. */
            projectId: string | null;
            /** @description The investor, if it is a person; null if it is a company. */
            contact: {
                /**
                 * @description An opaque identifier: `contact_` and 26 characters.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
                name: string | null;
                email: string | null;
            } | null;
            /**
             * @description The investor, if it is a company; null if it is a person.
             * @example null
             */
            company: {
                /**
                 * @description An opaque identifier: `company_` and 26 characters.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
                name: string | null;
                domain: string | null;
                country: string | null;
            } | null;
            /** @description The classification, as it was last written. The default is `not_contacted`. Null on a tombstone. */
            classification: string | null;
            /** @description `interested`, `maybe` or `not_interested`; null if none is recorded. */
            interest: string | null;
            /** @description The stage: derived from milestones, which never lower it, or overridden. Null on a tombstone. */
            stage: string | null;
            /** @description The latest manual override of the stage; left out if there is none. */
            stageOverride?: {
                /**
                 * @description The stage that the override sets. Known values: `not_contacted`, `teaser`, `im`, `data_room`, `bid`. Later versions may add more.
                 * @example not_contacted
                 */
                stage: string;
                setBy: components["schemas"]["NamedUser"] | null;
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC, with milliseconds.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                setAtUtc: string;
                reason: string | null;
            };
            nextTask?: components["schemas"]["NextTask"];
            /** @description The number of open follow-up tasks. Null on a tombstone. */
            openTaskCount: number | null;
            /**
             * @description Labels of the prospect on this project. Investors do not see them.
             * @example [
             *       "first-round"
             *     ]
             */
            projectTags: string[];
            /**
             * @description The labels of the contact or company in the network.
             * @example [
             *       "logistics"
             *     ]
             */
            tags: string[];
            owner?: components["schemas"]["NamedUser"];
            /** @description Whether the teaser was communicated. Null on a tombstone. */
            communicated: boolean | null;
            /** @description Whether the investor accepted the offer. Null on a tombstone. */
            accepted: boolean | null;
            /** @description Whether the broker and the investor can exchange messages. Null on a tombstone. */
            chat: boolean | null;
            /** @description Whether the investor is invited and has not replied. Null on a tombstone. */
            invitation: boolean | null;
            /** @description The number of notes that are neither archived nor superseded. Null on a tombstone. */
            noteCount: number | null;
            /**
             * @description When the access to the room ends; null without access or an end.
             * @example null
             */
            accessExpiryUtc: string | null;
            /** @description The teaser of the investor; null if none was communicated. */
            teaser: {
                /**
                 * @description The stage of the teaser. Known values: `communicated`. Later versions may add more.
                 * @example communicated
                 */
                stage: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC, with milliseconds.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                communicatedUtc: string;
            } | null;
            /**
             * @description When it was removed from the list; null while it is on the list.
             * @example null
             */
            removedUtc: string | null;
            externalRefs: components["schemas"]["ExternalRef"][];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The open task that is due first; left out if there is none. */
        NextTask: {
            /**
             * @description An opaque identifier: `task_` and 26 characters.
             * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The type of the task. Known values: `call`, `meeting`, `email`. Later versions may add more.
             * @example call
             */
            type: string;
            /**
             * Format: date-time
             * @description The due date, as its midnight in UTC.
             * @example 2026-11-28T00:00:00.000Z
             */
            dueDateUtc: string;
            assignee: components["schemas"]["NamedUser"];
            /**
             * @description Whether the due date is before today in UTC.
             * @example false
             */
            overdue: boolean;
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value.
         * @example {
         *       "classification": "interested",
         *       "interest": "interested",
         *       "owner": "me"
         *     }
         */
        ProspectPatch: {
            /**
             * @description `not_contacted`, `contacted`, `interested`, `bidder` or another word of 1 to 64 of the characters a to z, 0 to 9 and _. It is stored as it is sent and can change in any direction.
             * @example contacted
             */
            classification?: string;
            /** @description Null clears it. */
            interest?: ("interested" | "maybe" | "not_interested") | null;
            /**
             * @description Overrides the stage; later milestones can still raise it. Without a reason, sending the present stage or that of the present override changes nothing.
             * @enum {string}
             */
            stage?: "not_contacted" | "teaser" | "im" | "data_room" | "bid";
            /**
             * @description The reason for the override; only with `stage`.
             * @example Met at the fair
             */
            stageReason?: string;
            /**
             * @description The labels of the prospect on this project, each once, in their case; the whole list. Investors do not see them.
             * @example [
             *       "first-round"
             *     ]
             */
            projectTags?: string[];
            /**
             * @description The responsible user: the id of an active member of the team, or `me`; null for none.
             * @example me
             */
            owner?: string | null;
            /**
             * @description When the access to the room ends: a number of days, weeks or months (`3d`, `2w`, `1m`), `tomorrow`, `next_week` or `next_month` (as `1d`, `1w`, `1m`), or an ISO 8601 date or date and time, which must be in the future. Only for a prospect that has access to a room. Null clears it.
             * @example 2w
             */
            accessExpiry?: string | null;
            /** @description The names of the prospect in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /** @description The outcome for each prospect. */
        ProspectsClassified: {
            classified: {
                /**
                 * @description An opaque identifier: `prospect_` and 26 characters.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
                /** @example contacted */
                classification: string;
                /** @description The id of the note with the comment; null without a comment. */
                noteId: string | null;
            }[];
            /** @description The prospects that were not classified. On `note_failed`, the classification was written, but the note was not. */
            failed: {
                /**
                 * @description The id as it was sent.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
                /**
                 * @description The reason, for programs. Known values: `not_found`, `prospect_removed`, `note_failed`, `internal_error`. Later versions may add more.
                 * @example not_found
                 */
                code: string;
                /**
                 * @description The reason, for people.
                 * @example There is no prospect with this id on the project.
                 */
                detail: string;
            }[];
        };
        /**
         * @description Prospects and their new classification.
         * @example {
         *       "prospectIds": [
         *         "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"
         *       ],
         *       "classification": "contacted",
         *       "note": "Called: wants the numbers of 2025 first."
         *     }
         */
        ProspectClassify: {
            /**
             * @description The ids of 1 to 100 prospects of the project. Repeated ids are ignored.
             * @example [
             *       "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            prospectIds: string[];
            /**
             * @description `not_contacted`, `contacted`, `interested`, `bidder` or another word of 1 to 64 of the characters a to z, 0 to 9 and _. It is stored as it is sent and can change in any direction.
             * @example contacted
             */
            classification: string;
            /**
             * @description A comment, which is added as a note to each prospect.
             * @example Called: wants the numbers of 2025 first.
             */
            note?: string;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        ProspectUpsertReceipts: {
            results: (components["schemas"]["ProspectUpsertedReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The prospect is on the list, as the item asks. */
        ProspectUpsertedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "created" | "updated" | "restored" | "unchanged";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
        };
        /** @description At most 100 items. They are processed in order, each on the state that the ones before it left. */
        ProspectBatchUpsert: {
            items: components["schemas"]["ProspectUpsert"][];
        };
        /**
         * @description A prospect to update, to restore or to add. Members as in a patch; read-only members may be sent with their present value.
         * @example {
         *       "contactId": "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "classification": "interested",
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "deal-71"
         *         }
         *       ]
         *     }
         */
        ProspectUpsert: {
            /**
             * @description The id of a prospect on the project. Without it, the item means the one with one of its references, or else with its contact or company.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id?: string;
            /**
             * @description The id of the contact that is the investor. A new prospect needs exactly one of `contactId` and `companyId`; those of one that exists cannot change.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contactId?: string | null;
            /**
             * @description The id of the company that is the investor.
             * @example null
             */
            companyId?: string | null;
            /**
             * @description The `If-Match` of the item: the ETag of the record as you read it, quotes included. If the record has another one now, or does not exist any more, the item fails with `precondition_failed`. Null or blank: no check.
             * @example "v1"
             */
            etag?: string | null;
            /**
             * @description `not_contacted`, `contacted`, `interested`, `bidder` or another word of 1 to 64 of the characters a to z, 0 to 9 and _. It is stored as it is sent and can change in any direction.
             * @example contacted
             */
            classification?: string;
            /** @description Null clears it. */
            interest?: ("interested" | "maybe" | "not_interested") | null;
            /**
             * @description Overrides the stage; later milestones can still raise it. Without a reason, sending the present stage or that of the present override changes nothing.
             * @enum {string}
             */
            stage?: "not_contacted" | "teaser" | "im" | "data_room" | "bid";
            /**
             * @description The reason for the override; only with `stage`.
             * @example Met at the fair
             */
            stageReason?: string;
            /**
             * @description The labels of the prospect on this project, each once, in their case; the whole list. Investors do not see them.
             * @example [
             *       "first-round"
             *     ]
             */
            projectTags?: string[];
            /**
             * @description The responsible user: the id of an active member of the team, or `me`; null for none.
             * @example me
             */
            owner?: string | null;
            /**
             * @description When the access to the room ends: a number of days, weeks or months (`3d`, `2w`, `1m`), `tomorrow`, `next_week` or `next_month` (as `1d`, `1w`, `1m`), or an ISO 8601 date or date and time, which must be in the future. Only for a prospect that has access to a room. Null clears it.
             * @example 2w
             */
            accessExpiry?: string | null;
            /** @description The names of the prospect in other systems. They replace those of the same namespaces, and leave the others. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        ProspectAddReceipts: {
            results: (components["schemas"]["ProspectAddedReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The prospect is on the list. */
        ProspectAddedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "created" | "restored";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
        };
        /** @description At most 100 items. They are processed in order, each on the state that the ones before it left. */
        ProspectBatchAdd: {
            items: components["schemas"]["ProspectAdd"][];
        };
        /**
         * @description A contact or company to add to the list.
         * @example {
         *       "contactId": "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "classification": "contacted",
         *       "projectTags": [
         *         "first-round"
         *       ],
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "deal-71"
         *         }
         *       ]
         *     }
         */
        ProspectAdd: {
            /**
             * @description The id of the contact that is the investor. Send exactly one of `contactId` and `companyId`.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contactId?: string | null;
            /**
             * @description The id of the company that is the investor.
             * @example null
             */
            companyId?: string | null;
            /**
             * @description `not_contacted`, `contacted`, `interested`, `bidder` or another word of 1 to 64 of the characters a to z, 0 to 9 and _. It is stored as it is sent and can change in any direction.
             * @example contacted
             */
            classification?: string;
            /**
             * @description The labels of the prospect on this project, each once, in their case; the whole list. Investors do not see them.
             * @example [
             *       "first-round"
             *     ]
             */
            projectTags?: string[];
            /** @description The names of the prospect in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /** @description The investor is on the project's list already. */
        ProspectExists: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "prospect_exists";
            /**
             * @description The id of the prospect.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            prospectId: string;
            /** @enum {integer} */
            status: 409;
        };
        /** @description A page of a list. */
        ProspectPage: {
            data: components["schemas"]["Prospect"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description A page of a list. */
        PropertyPage_1: {
            data: components["schemas"]["Property"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description A property. An object without any value is null. A tombstone only has its audit members and external references. */
        Property: {
            /**
             * @description An opaque identifier: `property_` and 26 characters.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description Null on a tombstone.
             * @example Bürohaus Landsberger Straße
             */
            name: string | null;
            /** @description The responsible member of the team. */
            ownerId: string | null;
            /**
             * @description The projects whose `propertyIds` list the property, closed ones included and deleted ones not. Read-only: write `propertyIds` of the project.
             * @example [
             *       "project_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            projectIds: string[];
            /**
             * @description Free text.
             * @example Six floors, let to nine tenants, five minutes from the station.
             */
            description: string | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case. Also in `address`, with one value: a write may name either, or both alike.
             * @example DE
             */
            country: string | null;
            /**
             * @description The town or city. Also in `address`, with one value: a write may name either, or both alike.
             * @example München
             */
            locality: string | null;
            /** @description The postal address. As a whole, null clears `street`, `houseNumber`, `postalCode` and `region`, but not `country` and `locality`. Null if none of its members has a value. */
            address: components["schemas"]["PropertyAddress"] | null;
            /** @description The position in WGS 84: both members, or neither. Null if none of its members has a value. */
            coordinates: components["schemas"]["PropertyCoordinates"] | null;
            /** @description The parcels of land. */
            parcels: components["schemas"]["PropertyParcel"][];
            /**
             * @description The uses of the property.
             * @example [
             *       "office"
             *     ]
             */
            categories: string[];
            /**
             * @description The uses of the property, more precisely.
             * @example [
             *       "business_park"
             *     ]
             */
            subcategories: string[];
            /**
             * @description The stage in the life of the property. Known values: `operating`, `refurbishment`, `development`, `pre_development`, `land`. Later versions may add more.
             * @example operating
             */
            lifecycleStage: string | null;
            /**
             * @description How the property is held. Known values: `freehold`, `leasehold`, `ground_lease`, `condominium`, `share_of_freehold`, `mixed`, `other`. Later versions may add more.
             * @example freehold
             */
            tenure: string | null;
            /** @description The lease of the land under the building. Null if none of its members has a value. */
            groundLease: components["schemas"]["PropertyGroundLease"] | null;
            /**
             * @description The part of the property that is for sale.
             * @example {
             *       "value": 100,
             *       "unit": "percent"
             *     }
             */
            ownershipShare: components["schemas"]["Share"] | null;
            /**
             * @description Whether the property itself is sold (`asset`), the company that owns it (`share`), or `either`. Known values: `asset`, `share`, `either`. Later versions may add more.
             * @example asset
             */
            dealStructure: string | null;
            /**
             * @description The area of all parcels of land.
             * @example {
             *       "value": 4180,
             *       "unit": "sqm"
             *     }
             */
            parcelArea: components["schemas"]["Area"] | null;
            /**
             * @description The area of all floors within the outer walls.
             * @example {
             *       "value": 12450.5,
             *       "unit": "sqm"
             *     }
             */
            grossFloorArea: components["schemas"]["Area"] | null;
            /**
             * @description The area of all floors within the inner walls.
             * @example {
             *       "value": 11200,
             *       "unit": "sqm"
             *     }
             */
            internalArea: components["schemas"]["Area"] | null;
            /**
             * @description The area that can be let.
             * @example {
             *       "value": 10640,
             *       "unit": "sqm"
             *     }
             */
            lettableArea: components["schemas"]["Area"] | null;
            /**
             * @description The area that is let.
             * @example {
             *       "value": 9870,
             *       "unit": "sqm"
             *     }
             */
            rentedArea: components["schemas"]["Area"] | null;
            /**
             * @description The area that is not let.
             * @example {
             *       "value": 770,
             *       "unit": "sqm"
             *     }
             */
            vacantArea: components["schemas"]["Area"] | null;
            /** @description The areas by their use. */
            areasByUse: components["schemas"]["PropertyAreaByUse"][];
            /** @description What may be built on the parcels. Null if none of its members has a value. */
            zoning: components["schemas"]["PropertyZoning"] | null;
            /**
             * @description What the property can be converted to.
             * @example [
             *       "to_residential"
             *     ]
             */
            conversions: string[];
            /**
             * @description What else describes the property: a closed vocabulary, which mandates share.
             * @example [
             *       "single_tenant"
             *     ]
             */
            tags: string[];
            /**
             * @description The year in which the building was finished.
             * @example 1998
             */
            yearBuilt: number | null;
            /**
             * @description The year of the latest renovation.
             * @example 2016
             */
            yearRenovated: number | null;
            /**
             * @description The number of buildings.
             * @example 1
             */
            buildingCount: number | null;
            /**
             * @description The number of floors above ground.
             * @example 6
             */
            floorCount: number | null;
            /**
             * @description The number of units that can be let one by one, such as flats.
             * @example 14
             */
            unitCount: number | null;
            /**
             * @description The number of parking spaces.
             * @example 120
             */
            parkingSpaces: number | null;
            /**
             * @description The grade of the building's quality, `a` being the best. Known values: `a`, `b`, `c`. Later versions may add more.
             * @example a
             */
            grade: string | null;
            /**
             * @description The structural condition. Known values: `new`, `refurbished`, `maintained`, `needs_refurbishment`, `shell`, `demolition`. Later versions may add more.
             * @example new
             */
            condition: string | null;
            /**
             * @description Whether the building is listed as heritage.
             * @example false
             */
            heritageListed: boolean | null;
            /** @description What warehouses and factories are compared by. Null if none of its members has a value. */
            industrial: components["schemas"]["PropertyIndustrial"] | null;
            /** @description What hotels are compared by. Null if none of its members has a value. */
            hotel: components["schemas"]["PropertyHotel"] | null;
            /** @description What the property earns. Amounts are those of a year. Null if none of its members has a value. */
            income: components["schemas"]["PropertyIncome"] | null;
            /** @description The tenants. */
            tenants: components["schemas"]["PropertyTenant"][];
            /** @description What the property costs. Null if none of its members has a value. */
            pricing: components["schemas"]["PropertyPricing"] | null;
            /** @description The energy certificate. Null if none of its members has a value. */
            energy: components["schemas"]["PropertyEnergy"] | null;
            /** @description The certificates of sustainability. */
            certifications: components["schemas"]["PropertyCertification"][];
            /**
             * @description Whether the property is aligned with the taxonomy of the EU.
             * @example true
             */
            euTaxonomyAligned: boolean | null;
            /**
             * @description The year from which the emissions exceed the path to 1.5 °C (CRREM).
             * @example 2037
             */
            strandingYear: number | null;
            externalRefs: components["schemas"]["ExternalRef"][];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description A real-estate transaction. A tombstone only has its audit members and external references. */
        Project: {
            /**
             * @description An opaque identifier: `project_` and 26 characters.
             * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            name: string | null;
            description: string | null;
            isPortfolio: boolean | null;
            /**
             * @description The number of properties of the project. Unless somebody wrote it, it follows `propertyIds`: null until properties were linked, and their number from then on. Null clears it, and lets it follow again.
             * @example 4
             */
            propertyCount: number | null;
            /**
             * @description The ids of the properties that the project is about.
             * @example [
             *       "property_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            propertyIds: string[];
            exclusivity: string | null;
            /**
             * @deprecated
             * @description The former name of `exclusivity`, with the same value.
             * @example exclusive
             */
            mandate: string | null;
            status: string | null;
            /** @description The responsible member of the team. */
            ownerId: string | null;
            /**
             * @description The contact who sells.
             * @example null
             */
            sellerContactId: string | null;
            externalRefs: components["schemas"]["ExternalRef"][];
            /**
             * @description When it was published.
             * @example null
             */
            publishedUtc: string | null;
            /**
             * @description When its teaser was first communicated. From then on the project is shared: it can be closed, but not deleted.
             * @example null
             */
            communicatedUtc: string | null;
            /**
             * @description When it was closed; null while it is open.
             * @example null
             */
            closedUtc: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The project is not deleted. */
        ProjectNotDeleted: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "project_not_deleted";
            /** @enum {integer} */
            status: 409;
        };
        /** @description The project was shared. */
        ProjectShared: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "project_shared";
            /** @enum {integer} */
            status: 409;
        };
        /** @description Members of the request exclude each other. */
        ValidationFailed: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "validation_failed";
            errors: components["schemas"]["Fault"][];
            /** @enum {integer} */
            status: 422;
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value. Leave `mandate` out of a project that you send back.
         * @example {
         *       "propertyCount": 5,
         *       "exclusivity": "non_exclusive"
         *     }
         */
        ProjectPatch: {
            /** @example Logistics Portfolio Northern Italy */
            name?: string;
            description?: string | null;
            /**
             * @description Whether several properties are sold together.
             * @example true
             */
            isPortfolio?: boolean;
            /**
             * @description The number of properties of the project. Unless somebody wrote it, it follows `propertyIds`: null until properties were linked, and their number from then on. Null clears it, and lets it follow again.
             * @example 4
             */
            propertyCount?: number | null;
            /**
             * @description The ids of the properties that the project is about; the whole list, each once.
             * @example [
             *       "property_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            propertyIds?: string[];
            /**
             * @description The exclusivity of the broker's mandate.
             * @example exclusive
             */
            exclusivity?: ("exclusive" | "non_exclusive" | "other") | null;
            /**
             * @deprecated
             * @description The former name of `exclusivity`. Send `exclusivity` instead; only one of the two may have a value.
             * @example null
             */
            mandate?: ("exclusive" | "non_exclusive" | "other") | null;
            /**
             * @description The id of the responsible member of the team, or `me`.
             * @example me
             */
            ownerId?: string | null;
            /**
             * @description The id of the contact who sells. When the teaser is communicated, the user with the address of the contact gets an offer of the category `selling`.
             * @example null
             */
            sellerContactId?: string | null;
            /** @description The names of the project in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /**
         * @description A new project, which is a draft until it is shared.
         * @example {
         *       "name": "Logistics Portfolio Northern Italy",
         *       "isPortfolio": true,
         *       "propertyCount": 4,
         *       "exclusivity": "exclusive",
         *       "ownerId": "me",
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "deal-17"
         *         }
         *       ]
         *     }
         */
        ProjectCreate: components["schemas"]["ProjectPatch"] & {
            /** @example Logistics Portfolio Northern Italy */
            name: string;
        };
        /** @description A page of a list. */
        ProjectPage: {
            data: components["schemas"]["Project"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description A page of a list. */
        PropertySearchPage: {
            data: components["schemas"]["Property"][];
            page: components["schemas"]["PageInfo"];
        };
        /**
         * @description A search. Without members, it finds everything.
         * @example {
         *       "query": "landsberger",
         *       "filter": {
         *         "tags": {
         *           "in": [
         *             "value_add"
         *           ]
         *         },
         *         "lettableArea": {
         *           "gte": 5000
         *         },
         *         "pricing.askingPrice": {
         *           "exists": true
         *         }
         *       },
         *       "sort": [
         *         {
         *           "field": "income.vacancyRate",
         *           "direction": "desc"
         *         }
         *       ],
         *       "page_size": 50
         *     }
         */
        PropertySearch: {
            /**
             * @description Words that a record contains, all of them, in any order.
             * @example muller berlin
             */
            query?: string;
            /** @description Conditions, all of which must be true. */
            filter?: {
                id?: components["schemas"]["PropertyIdFilter"];
                name?: components["schemas"]["TextFilter"];
                ownerId?: components["schemas"]["UserIdFilter"];
                description?: components["schemas"]["TextFilter"];
                country?: components["schemas"]["TextFilter"];
                locality?: components["schemas"]["TextFilter"];
                "address.street"?: components["schemas"]["TextFilter"];
                "address.houseNumber"?: components["schemas"]["TextFilter"];
                "address.postalCode"?: components["schemas"]["TextFilter"];
                "address.region"?: components["schemas"]["TextFilter"];
                "address.country"?: components["schemas"]["TextFilter"];
                "address.locality"?: components["schemas"]["TextFilter"];
                "coordinates.latitude"?: components["schemas"]["NumberFilter"];
                "coordinates.longitude"?: components["schemas"]["NumberFilter"];
                categories?: components["schemas"]["TagsFilter"];
                subcategories?: components["schemas"]["TagsFilter"];
                lifecycleStage?: components["schemas"]["TextFilter"];
                tenure?: components["schemas"]["TextFilter"];
                "groundLease.expiresOn"?: components["schemas"]["TextFilter"];
                "groundLease.annualRent"?: components["schemas"]["NumberFilter"];
                "groundLease.annualRent.currency"?: components["schemas"]["TextFilter"];
                ownershipShare?: components["schemas"]["NumberFilter"];
                dealStructure?: components["schemas"]["TextFilter"];
                parcelArea?: components["schemas"]["NumberFilter"];
                grossFloorArea?: components["schemas"]["NumberFilter"];
                internalArea?: components["schemas"]["NumberFilter"];
                lettableArea?: components["schemas"]["NumberFilter"];
                rentedArea?: components["schemas"]["NumberFilter"];
                vacantArea?: components["schemas"]["NumberFilter"];
                "zoning.gfa"?: components["schemas"]["NumberFilter"];
                "zoning.useClass"?: components["schemas"]["TextFilter"];
                "zoning.status"?: components["schemas"]["TextFilter"];
                "zoning.planReference"?: components["schemas"]["TextFilter"];
                "zoning.floorAreaRatio"?: components["schemas"]["NumberFilter"];
                "zoning.siteCoverageRatio"?: components["schemas"]["NumberFilter"];
                "zoning.planningPermission"?: components["schemas"]["TextFilter"];
                conversions?: components["schemas"]["TagsFilter"];
                tags?: components["schemas"]["TagsFilter"];
                yearBuilt?: components["schemas"]["NumberFilter"];
                yearRenovated?: components["schemas"]["NumberFilter"];
                buildingCount?: components["schemas"]["NumberFilter"];
                floorCount?: components["schemas"]["NumberFilter"];
                unitCount?: components["schemas"]["NumberFilter"];
                parkingSpaces?: components["schemas"]["NumberFilter"];
                grade?: components["schemas"]["TextFilter"];
                condition?: components["schemas"]["TextFilter"];
                heritageListed?: components["schemas"]["BooleanFilter"];
                "industrial.clearHeightM"?: components["schemas"]["NumberFilter"];
                "industrial.dockDoors"?: components["schemas"]["NumberFilter"];
                "industrial.driveInDoors"?: components["schemas"]["NumberFilter"];
                "industrial.floorLoadKnPerSqm"?: components["schemas"]["NumberFilter"];
                "industrial.powerKva"?: components["schemas"]["NumberFilter"];
                "industrial.yardDepthM"?: components["schemas"]["NumberFilter"];
                "hotel.roomCount"?: components["schemas"]["NumberFilter"];
                "hotel.stars"?: components["schemas"]["NumberFilter"];
                "hotel.contractType"?: components["schemas"]["TextFilter"];
                "income.asOf"?: components["schemas"]["TextFilter"];
                "income.passingRent"?: components["schemas"]["NumberFilter"];
                "income.passingRent.currency"?: components["schemas"]["TextFilter"];
                "income.marketRent"?: components["schemas"]["NumberFilter"];
                "income.marketRent.currency"?: components["schemas"]["TextFilter"];
                "income.nonRecoverableCosts"?: components["schemas"]["NumberFilter"];
                "income.nonRecoverableCosts.currency"?: components["schemas"]["TextFilter"];
                "income.netOperatingIncome"?: components["schemas"]["NumberFilter"];
                "income.netOperatingIncome.currency"?: components["schemas"]["TextFilter"];
                "income.vacancyRate"?: components["schemas"]["NumberFilter"];
                "income.occupancyRate"?: components["schemas"]["NumberFilter"];
                "income.waultToBreak"?: components["schemas"]["NumberFilter"];
                "income.waultToExpiry"?: components["schemas"]["NumberFilter"];
                "income.tenantCount"?: components["schemas"]["NumberFilter"];
                "income.leaseType"?: components["schemas"]["TextFilter"];
                "income.indexation"?: components["schemas"]["TextFilter"];
                "pricing.askingPrice"?: components["schemas"]["NumberFilter"];
                "pricing.askingPrice.currency"?: components["schemas"]["TextFilter"];
                "pricing.qualifier"?: components["schemas"]["TextFilter"];
                "pricing.purchaserCosts"?: components["schemas"]["NumberFilter"];
                "pricing.netInitialYield"?: components["schemas"]["NumberFilter"];
                "pricing.toppedUpNetInitialYield"?: components["schemas"]["NumberFilter"];
                "pricing.grossInitialYield"?: components["schemas"]["NumberFilter"];
                "pricing.reversionaryYield"?: components["schemas"]["NumberFilter"];
                "pricing.rentMultiplier"?: components["schemas"]["NumberFilter"];
                "pricing.vatTreatment"?: components["schemas"]["TextFilter"];
                "energy.class"?: components["schemas"]["TextFilter"];
                "energy.country"?: components["schemas"]["TextFilter"];
                "energy.certificateNumber"?: components["schemas"]["TextFilter"];
                "energy.validUntil"?: components["schemas"]["TextFilter"];
                "energy.basis"?: components["schemas"]["TextFilter"];
                "energy.primaryKwhPerSqmYear"?: components["schemas"]["NumberFilter"];
                "energy.finalKwhPerSqmYear"?: components["schemas"]["NumberFilter"];
                "energy.co2KgPerSqmYear"?: components["schemas"]["NumberFilter"];
                euTaxonomyAligned?: components["schemas"]["BooleanFilter"];
                strandingYear?: components["schemas"]["NumberFilter"];
                externalRefs?: components["schemas"]["ExternalRefsFilter"];
                createdUtc?: components["schemas"]["TimestampFilter"];
                updatedUtc?: components["schemas"]["TimestampFilter"];
                etag?: components["schemas"]["EtagFilter"];
                changeType?: components["schemas"]["TextFilter"];
                changeOrigin?: components["schemas"]["TextFilter"];
                deletedUtc?: components["schemas"]["TimestampFilter"];
            };
            /** @description The order; defaults to `createdUtc`. */
            sort?: {
                field: string & ("id" | "name" | "ownerId" | "description" | "country" | "locality" | "address.street" | "address.houseNumber" | "address.postalCode" | "address.region" | "address.country" | "address.locality" | "coordinates.latitude" | "coordinates.longitude" | "lifecycleStage" | "tenure" | "groundLease.expiresOn" | "groundLease.annualRent" | "groundLease.annualRent.currency" | "ownershipShare" | "dealStructure" | "parcelArea" | "grossFloorArea" | "internalArea" | "lettableArea" | "rentedArea" | "vacantArea" | "zoning.gfa" | "zoning.useClass" | "zoning.status" | "zoning.planReference" | "zoning.floorAreaRatio" | "zoning.siteCoverageRatio" | "zoning.planningPermission" | "yearBuilt" | "yearRenovated" | "buildingCount" | "floorCount" | "unitCount" | "parkingSpaces" | "grade" | "condition" | "heritageListed" | "industrial.clearHeightM" | "industrial.dockDoors" | "industrial.driveInDoors" | "industrial.floorLoadKnPerSqm" | "industrial.powerKva" | "industrial.yardDepthM" | "hotel.roomCount" | "hotel.stars" | "hotel.contractType" | "income.asOf" | "income.passingRent" | "income.passingRent.currency" | "income.marketRent" | "income.marketRent.currency" | "income.nonRecoverableCosts" | "income.nonRecoverableCosts.currency" | "income.netOperatingIncome" | "income.netOperatingIncome.currency" | "income.vacancyRate" | "income.occupancyRate" | "income.waultToBreak" | "income.waultToExpiry" | "income.tenantCount" | "income.leaseType" | "income.indexation" | "pricing.askingPrice" | "pricing.askingPrice.currency" | "pricing.qualifier" | "pricing.purchaserCosts" | "pricing.netInitialYield" | "pricing.toppedUpNetInitialYield" | "pricing.grossInitialYield" | "pricing.reversionaryYield" | "pricing.rentMultiplier" | "pricing.vatTreatment" | "energy.class" | "energy.country" | "energy.certificateNumber" | "energy.validUntil" | "energy.basis" | "energy.primaryKwhPerSqmYear" | "energy.finalKwhPerSqmYear" | "energy.co2KgPerSqmYear" | "euTaxonomyAligned" | "strandingYear" | "createdUtc" | "updatedUtc" | "etag" | "changeType" | "changeOrigin" | "deletedUtc");
                /**
                 * @description Defaults to `asc`.
                 * @example asc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            }[];
            /** @description The `nextCursor` of the previous page, with the same query, filter and sort. Opaque. */
            cursor?: string;
            /**
             * @description Rows per page; 50 if it is left out.
             * @example 50
             */
            page_size?: number;
        };
        /** @description Conditions, all of which must be true. */
        TimestampFilter: {
            /**
             * @description Equal to this.
             * @example 2026-11-21T09:30:00.000Z
             */
            eq?: string;
            /** @description Equal to one of these values, at most 100. */
            in?: string[];
            /**
             * @description Greater than this.
             * @example 2026-11-21T09:30:00.000Z
             */
            gt?: string;
            /**
             * @description Greater than or equal to this.
             * @example 2026-11-21T09:30:00.000Z
             */
            gte?: string;
            /**
             * @description Less than this.
             * @example 2026-11-21T09:30:00.000Z
             */
            lt?: string;
            /**
             * @description Less than or equal to this.
             * @example 2026-11-21T09:30:00.000Z
             */
            lte?: string;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        TextFilter: {
            /** @description Equal to this. */
            eq?: string;
            /** @description Equal to one of these values, at most 100. */
            in?: string[];
            /** @description Contains this. */
            contains?: string;
            /** @description Begins with this. */
            prefix?: string;
            /** @description Greater than this. */
            gt?: string;
            /** @description Greater than or equal to this. */
            gte?: string;
            /** @description Less than this. */
            lt?: string;
            /** @description Less than or equal to this. */
            lte?: string;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        EtagFilter: {
            /**
             * @description Equal to this.
             * @example "v1"
             */
            eq?: string;
            /** @description Equal to one of these values, at most 100. */
            in?: string[];
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        ExternalRefsFilter: {
            /**
             * @description Has this external reference, `NAMESPACE:ID`.
             * @example hubspot:8812
             */
            eq?: string;
            /** @description Has one of these external references, at most 100. */
            in?: string[];
            /**
             * @description Has an external reference of this namespace, `NAMESPACE:`.
             * @example hubspot:
             */
            prefix?: string;
            /** @description Whether it has any external references. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        NumberFilter: {
            /**
             * @description Equal to this.
             * @example 1998
             */
            eq?: number;
            /** @description Equal to one of these values, at most 100. */
            in?: number[];
            /**
             * @description Greater than this.
             * @example 1998
             */
            gt?: number;
            /**
             * @description Greater than or equal to this.
             * @example 1998
             */
            gte?: number;
            /**
             * @description Less than this.
             * @example 1998
             */
            lt?: number;
            /**
             * @description Less than or equal to this.
             * @example 1998
             */
            lte?: number;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        BooleanFilter: {
            /**
             * @description Equal to this.
             * @example true
             */
            eq?: boolean;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        TagsFilter: {
            /** @description Has this tag. */
            eq?: string;
            /** @description Has one of these tags, at most 100. */
            in?: string[];
            /** @description Has this tag. */
            contains?: string;
            /** @description Whether it has any tags. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        UserIdFilter: {
            /**
             * @description Equal to this.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            eq?: string;
            /** @description Equal to one of these values, at most 100. */
            in?: string[];
            /**
             * @description Greater than this.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gt?: string;
            /**
             * @description Greater than or equal to this.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gte?: string;
            /**
             * @description Less than this.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lt?: string;
            /**
             * @description Less than or equal to this.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lte?: string;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description Conditions, all of which must be true. */
        PropertyIdFilter: {
            /**
             * @description Equal to this.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            eq?: string;
            /** @description Equal to one of these values, at most 100. */
            in?: string[];
            /**
             * @description Greater than this.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gt?: string;
            /**
             * @description Greater than or equal to this.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gte?: string;
            /**
             * @description Less than this.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lt?: string;
            /**
             * @description Less than or equal to this.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lte?: string;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        PropertyDeleteReceipts: {
            results: (components["schemas"]["PropertyDeletedReceipt"] | components["schemas"]["MissingReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record was deleted. */
        PropertyDeletedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "deleted";
            /** @description Always null. */
            etag: null;
        };
        /** @description The ids of at most 100 records. */
        PropertyBatchDelete: {
            /**
             * @example [
             *       "property_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        PropertyUpsertReceipts: {
            results: (components["schemas"]["PropertyUpsertedReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record is as the item asks. */
        PropertyUpsertedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
        };
        /** @description At most 100 items. They are processed in order, each on the state that the ones before it left. */
        PropertyBatchUpsert: {
            items: components["schemas"]["PropertyUpsert"][];
        };
        /**
         * @description A property to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.
         * @example {
         *       "name": "Bürohaus Landsberger Straße",
         *       "country": "DE",
         *       "locality": "München",
         *       "address": {
         *         "street": "Landsberger Straße",
         *         "houseNumber": "84a",
         *         "postalCode": "80339"
         *       },
         *       "coordinates": {
         *         "latitude": 48.1385,
         *         "longitude": 11.5309
         *       },
         *       "categories": [
         *         "office"
         *       ],
         *       "tenure": "freehold",
         *       "lettableArea": {
         *         "value": 10640,
         *         "unit": "sqm",
         *         "standard": "gla"
         *       },
         *       "yearBuilt": 1998,
         *       "tags": [
         *         "multi_tenant",
         *         "partly_vacant"
         *       ],
         *       "income": {
         *         "passingRent": {
         *           "value": 2310000,
         *           "currency": "EUR"
         *         },
         *         "waultToBreak": {
         *           "value": 4.1,
         *           "unit": "years"
         *         }
         *       },
         *       "pricing": {
         *         "askingPrice": {
         *           "value": 46500000,
         *           "currency": "EUR"
         *         },
         *         "qualifier": "guide"
         *       },
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "p-204"
         *         }
         *       ]
         *     }
         */
        PropertyUpsert: components["schemas"]["PropertyPatch"] & {
            /**
             * @description An opaque identifier: `property_` and 26 characters.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id?: string;
            /**
             * @description The `If-Match` of the item: the ETag of the record as you read it, quotes included. If the record has another one now, or does not exist any more, the item fails with `precondition_failed`. Null or blank: no check.
             * @example "v1"
             */
            etag?: string | null;
        };
        /** @description A certificate of sustainability. */
        PropertyCertificationInput: {
            /**
             * @description The scheme of the certificate.
             * @example breeam
             */
            scheme?: ("breeam" | "leed" | "dgnb" | "hqe" | "well" | "gresb" | "miljobyggnad" | "greenbuilding" | "other") | null;
            /**
             * @description The level that was reached.
             * @example Gold
             */
            level?: string | null;
            /**
             * @description What was certified, such as the design or the building in use.
             * @example in use
             */
            phase?: string | null;
            /**
             * @description Until when the certificate is valid.
             * @example 2028-12-31
             */
            validUntil?: string | null;
        };
        /** @description The energy certificate. Members are patched one by one. */
        PropertyEnergyInput: {
            /**
             * @description The class, on the scale of `country`; `a_plus` is A+.
             * @example a_plus
             */
            class?: ("a_plus" | "a0" | "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h") | null;
            /**
             * @description The country of the scale, ISO 3166-1 alpha-2, upper case.
             * @example DE
             */
            country?: string | null;
            /**
             * @description The number of the certificate.
             * @example BY-2024-004812345
             */
            certificateNumber?: string | null;
            /**
             * @description Until when the certificate is valid.
             * @example 2034-05-31
             */
            validUntil?: string | null;
            /**
             * @description What the certificate is based on.
             * @example demand
             */
            basis?: ("demand" | "consumption") | null;
            /**
             * @description The primary energy, in kilowatt-hours per square metre and year.
             * @example 128.4
             */
            primaryKwhPerSqmYear?: number | null;
            /**
             * @description The final energy, in kilowatt-hours per square metre and year.
             * @example 96.2
             */
            finalKwhPerSqmYear?: number | null;
            /**
             * @description The emissions, in kilograms of carbon dioxide per square metre and year.
             * @example 24.8
             */
            co2KgPerSqmYear?: number | null;
        };
        /** @description What the property costs. Members are patched one by one. */
        PropertyPricingInput: {
            /**
             * @description The asking price of the whole property.
             * @example {
             *       "value": 46500000,
             *       "currency": "EUR"
             *     }
             */
            askingPrice?: components["schemas"]["Money"] | null;
            /**
             * @description How firm the asking price is.
             * @example asking
             */
            qualifier?: ("asking" | "guide" | "offers_over" | "offers_around" | "on_application") | null;
            /**
             * @description The costs of the purchase, in percent of the price.
             * @example {
             *       "value": 6.5,
             *       "unit": "percent"
             *     }
             */
            purchaserCosts?: components["schemas"]["Share"] | null;
            /**
             * @description The net initial yield. As it was given: the service does not compute it.
             * @example {
             *       "value": 4.3,
             *       "unit": "percent"
             *     }
             */
            netInitialYield?: components["schemas"]["Percent"] | null;
            /**
             * @description The net initial yield as if rent-free periods were over. As it was given: the service does not compute it.
             * @example {
             *       "value": 4.5,
             *       "unit": "percent"
             *     }
             */
            toppedUpNetInitialYield?: components["schemas"]["Percent"] | null;
            /**
             * @description The gross initial yield. As it was given: the service does not compute it.
             * @example {
             *       "value": 4.97,
             *       "unit": "percent"
             *     }
             */
            grossInitialYield?: components["schemas"]["Percent"] | null;
            /**
             * @description The yield at the market rent. As it was given: the service does not compute it.
             * @example {
             *       "value": 5.1,
             *       "unit": "percent"
             *     }
             */
            reversionaryYield?: components["schemas"]["Percent"] | null;
            /**
             * @description The price as a multiple of the rent of a year. As it was given: the service does not compute it.
             * @example 20.13
             */
            rentMultiplier?: number | null;
            /**
             * @description How the price relates to value-added tax.
             * @example exclusive
             */
            vatTreatment?: ("exclusive" | "inclusive" | "exempt") | null;
        };
        /** @description A tenant. */
        PropertyTenantInput: {
            /**
             * @description The name of the tenant.
             * @example Nordlicht Software GmbH
             */
            name?: string | null;
            /**
             * @description What the tenant uses the area for: one of the `categories` where one fits, or any other text.
             * @example office
             */
            use?: string | null;
            /**
             * @description The area that the tenant rents.
             * @example {
             *       "value": 2150,
             *       "unit": "sqm"
             *     }
             */
            area?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The rent of a year.
             * @example {
             *       "value": 610000,
             *       "currency": "EUR"
             *     }
             */
            annualRent?: components["schemas"]["Money"] | null;
            /**
             * @description When the tenant can leave first.
             * @example 2029-06-30
             */
            breakOn?: string | null;
            /**
             * @description When the lease ends.
             * @example 2031-06-30
             */
            expiresOn?: string | null;
        };
        /** @description An area in square metres. `unit` is required, so that nobody sends square feet by mistake. */
        AreaInput: {
            /**
             * @description The area, exact to four decimal places.
             * @example 12450.5
             */
            value: number;
            /**
             * @description Square metres.
             * @example sqm
             * @enum {string}
             */
            unit: "sqm";
            /**
             * @description How it was measured: a part of the International Property Measurement Standards (`ipms1` to `ipms3_2`), gross external, gross internal or net internal area, gross leasable area, or by local rules. Null as if omitted.
             * @example gia
             */
            standard?: ("ipms1" | "ipms2" | "ipms3_1" | "ipms3_2" | "gea" | "gia" | "nia" | "gla" | "local") | null;
            /** @description When it was measured. Null as if omitted. */
            measuredOn?: string | null;
        };
        /** @description What the property earns. Amounts are those of a year. Members are patched one by one. */
        PropertyIncomeInput: {
            /**
             * @description The date of these figures.
             * @example 2026-09-30
             */
            asOf?: string | null;
            /**
             * @description The rent that the leases bring in a year.
             * @example {
             *       "value": 2310000,
             *       "currency": "EUR"
             *     }
             */
            passingRent?: components["schemas"]["Money"] | null;
            /**
             * @description The rent that a new letting would bring in a year.
             * @example {
             *       "value": 2480000,
             *       "currency": "EUR"
             *     }
             */
            marketRent?: components["schemas"]["Money"] | null;
            /**
             * @description The costs of a year that tenants do not bear.
             * @example {
             *       "value": 185000,
             *       "currency": "EUR"
             *     }
             */
            nonRecoverableCosts?: components["schemas"]["Money"] | null;
            /**
             * @description The income of a year after costs. As it was given: the service does not compute it.
             * @example {
             *       "value": 2125000,
             *       "currency": "EUR"
             *     }
             */
            netOperatingIncome?: components["schemas"]["SignedMoney"] | null;
            /**
             * @description The part that is vacant. As it was given: the service does not compute it.
             * @example {
             *       "value": 7.2,
             *       "unit": "percent"
             *     }
             */
            vacancyRate?: components["schemas"]["Share"] | null;
            /**
             * @description The part that is let. As it was given: the service does not compute it.
             * @example {
             *       "value": 92.8,
             *       "unit": "percent"
             *     }
             */
            occupancyRate?: components["schemas"]["Share"] | null;
            /**
             * @description The weighted average unexpired lease term to the first break.
             * @example {
             *       "value": 4.1,
             *       "unit": "years"
             *     }
             */
            waultToBreak?: components["schemas"]["Years"] | null;
            /**
             * @description The weighted average unexpired lease term to the end of the leases.
             * @example {
             *       "value": 5.6,
             *       "unit": "years"
             *     }
             */
            waultToExpiry?: components["schemas"]["Years"] | null;
            /**
             * @description The number of tenants.
             * @example 9
             */
            tenantCount?: number | null;
            /**
             * @description Who bears the costs.
             * @example double_net
             */
            leaseType?: ("double_net" | "triple_net" | "gross" | "modified_gross" | "full_repairing") | null;
            /**
             * @description How rents follow prices.
             * @example none
             */
            indexation?: ("none" | "cpi" | "fixed_steps" | "turnover") | null;
        };
        /** @description What hotels are compared by. Members are patched one by one. */
        PropertyHotelInput: {
            /**
             * @description The number of rooms.
             * @example 148
             */
            roomCount?: number | null;
            /**
             * @description The official stars, half ones included.
             * @example 4
             */
            stars?: number | null;
            /**
             * @description How the hotel is run.
             * @example lease
             */
            contractType?: ("lease" | "management" | "franchise" | "owner_operated") | null;
        };
        /** @description What warehouses and factories are compared by. Members are patched one by one. */
        PropertyIndustrialInput: {
            /**
             * @description The clear height in metres.
             * @example 10.5
             */
            clearHeightM?: number | null;
            /**
             * @description The number of loading docks.
             * @example 24
             */
            dockDoors?: number | null;
            /**
             * @description The number of gates at ground level.
             * @example 2
             */
            driveInDoors?: number | null;
            /**
             * @description The load that the floor bears, in kilonewtons per square metre.
             * @example 50
             */
            floorLoadKnPerSqm?: number | null;
            /**
             * @description The power supply in kilovolt-amperes.
             * @example 1600
             */
            powerKva?: number | null;
            /**
             * @description The depth of the yard in metres.
             * @example 35
             */
            yardDepthM?: number | null;
        };
        /** @description What may be built on the parcels. Members are patched one by one. */
        PropertyZoningInput: {
            /**
             * @description The gross floor area that may be built.
             * @example {
             *       "value": 14000,
             *       "unit": "sqm"
             *     }
             */
            gfa?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The uses that are allowed. The whole list; each value counts once.
             * @example [
             *       "residential"
             *     ]
             */
            uses?: ("residential" | "commercial" | "industrial" | "mixed" | "public" | "agricultural" | "recreation" | "transport" | "special")[] | null;
            /**
             * @description The class of use in the words of the plan.
             * @example MK (Kerngebiet)
             */
            useClass?: string | null;
            /**
             * @description How far the zoning is.
             * @example zoned
             */
            status?: ("zoned" | "in_progress" | "expected" | "unzoned") | null;
            /**
             * @description The plan that says so.
             * @example Bebauungsplan 1926a
             */
            planReference?: string | null;
            /**
             * @description The floor area that is allowed per area of land: 2.4 is 240 %.
             * @example 2.4
             */
            floorAreaRatio?: number | null;
            /**
             * @description The part of the land that may be built over: 0.6 is 60 %.
             * @example 0.6
             */
            siteCoverageRatio?: number | null;
            /**
             * @description How far the planning permission is.
             * @example none
             */
            planningPermission?: ("none" | "pending" | "approved") | null;
        };
        /** @description The area of one use. */
        PropertyAreaByUseInput: {
            /**
             * @description What the area is used for: one of the `categories` where one fits, or any other text.
             * @example office
             */
            use?: string | null;
            /**
             * @description The area of this use.
             * @example {
             *       "value": 8400,
             *       "unit": "sqm"
             *     }
             */
            area?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The part of it that is let.
             * @example {
             *       "value": 7630,
             *       "unit": "sqm"
             *     }
             */
            rentedArea?: components["schemas"]["AreaInput"] | null;
        };
        /** @description The lease of the land under the building. Members are patched one by one. */
        PropertyGroundLeaseInput: {
            /**
             * @description When the lease ends.
             * @example 2091-12-31
             */
            expiresOn?: string | null;
            /**
             * @description The rent of the land for a year.
             * @example {
             *       "value": 84000,
             *       "currency": "EUR"
             *     }
             */
            annualRent?: components["schemas"]["Money"] | null;
        };
        /** @description A parcel of land. */
        PropertyParcelInput: {
            /**
             * @description The number of the parcel in the cadastre.
             * @example 8412/3
             */
            cadastralId?: string | null;
            /**
             * @description The land register, and where the parcel is in it.
             * @example Grundbuch von München, Sektion 7, Blatt 1204
             */
            register?: string | null;
            /**
             * @description The area of the parcel.
             * @example {
             *       "value": 4180,
             *       "unit": "sqm"
             *     }
             */
            area?: components["schemas"]["AreaInput"] | null;
        };
        /** @description The position in WGS 84: both members, or neither. Members are patched one by one. */
        PropertyCoordinatesInput: {
            /**
             * @description Degrees north; negative is south.
             * @example 48.1385
             */
            latitude?: number | null;
            /**
             * @description Degrees east; negative is west.
             * @example 11.5309
             */
            longitude?: number | null;
        };
        /** @description The postal address. As a whole, null clears `street`, `houseNumber`, `postalCode` and `region`, but not `country` and `locality`. Members are patched one by one. */
        PropertyAddressInput: {
            /**
             * @description The street, without the house number.
             * @example Landsberger Straße
             */
            street?: string | null;
            /**
             * @description The house number, with its suffix.
             * @example 84a
             */
            houseNumber?: string | null;
            /**
             * @description The postal code.
             * @example 80339
             */
            postalCode?: string | null;
            /**
             * @description The state, province or region.
             * @example Bayern
             */
            region?: string | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case. Also in `address`, with one value: a write may name either, or both alike.
             * @example DE
             */
            country?: string | null;
            /**
             * @description The town or city. Also in `address`, with one value: a write may name either, or both alike.
             * @example München
             */
            locality?: string | null;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        PropertyGetReceipts: {
            results: (components["schemas"]["PropertyFoundReceipt"] | components["schemas"]["MissingReceipt"])[];
        };
        /** @description The record. */
        PropertyFoundReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "found";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
            resource: components["schemas"]["Property"];
        };
        /** @description The ids of at most 100 records. */
        PropertyBatchGet: {
            /**
             * @example [
             *       "property_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description The property is on a project that is not closed. */
        PropertyOnProject: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "property_on_project";
            /**
             * @description The projects that list it and are not closed.
             * @example [
             *       "project_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            projectIds: string[];
            /** @enum {integer} */
            status: 409;
        };
        PropertyPatch: {
            /**
             * @description The name of the property.
             * @example Bürohaus Landsberger Straße
             */
            name?: string;
            /**
             * @description The id of the responsible member of the team, or `me`.
             * @example me
             */
            ownerId?: string | null;
            /**
             * @description Free text.
             * @example Six floors, let to nine tenants, five minutes from the station.
             */
            description?: string | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case. Also in `address`, with one value: a write may name either, or both alike.
             * @example DE
             */
            country?: string | null;
            /**
             * @description The town or city. Also in `address`, with one value: a write may name either, or both alike.
             * @example München
             */
            locality?: string | null;
            /** @description The postal address. As a whole, null clears `street`, `houseNumber`, `postalCode` and `region`, but not `country` and `locality`. */
            address?: components["schemas"]["PropertyAddressInput"] | null;
            /** @description The position in WGS 84: both members, or neither. */
            coordinates?: components["schemas"]["PropertyCoordinatesInput"] | null;
            /** @description The parcels of land. The whole list, at most 200. */
            parcels?: components["schemas"]["PropertyParcelInput"][] | null;
            /**
             * @description The uses of the property. The whole list; each value counts once.
             * @example [
             *       "office"
             *     ]
             */
            categories?: ("office" | "retail" | "logistics" | "light_industrial" | "residential" | "student_housing" | "senior_living" | "healthcare" | "hotel" | "leisure" | "mixed_use" | "data_centre" | "life_science" | "self_storage" | "parking" | "education" | "public" | "land" | "other")[] | null;
            /**
             * @description The uses of the property, more precisely. The whole list; each value counts once.
             * @example [
             *       "business_park"
             *     ]
             */
            subcategories?: ("business_park" | "serviced_office" | "medical_office" | "high_street" | "shopping_centre" | "retail_park" | "supermarket" | "showroom" | "distribution_warehouse" | "cold_storage" | "manufacturing" | "trade_counter" | "workshop" | "care_home" | "clinic" | "resort" | "restaurant" | "multifamily" | "development_site" | "petrol_station")[] | null;
            /**
             * @description The stage in the life of the property.
             * @example operating
             */
            lifecycleStage?: ("operating" | "refurbishment" | "development" | "pre_development" | "land") | null;
            /**
             * @description How the property is held.
             * @example freehold
             */
            tenure?: ("freehold" | "leasehold" | "ground_lease" | "condominium" | "share_of_freehold" | "mixed" | "other") | null;
            /** @description The lease of the land under the building. */
            groundLease?: components["schemas"]["PropertyGroundLeaseInput"] | null;
            /**
             * @description The part of the property that is for sale.
             * @example {
             *       "value": 100,
             *       "unit": "percent"
             *     }
             */
            ownershipShare?: components["schemas"]["Share"] | null;
            /**
             * @description Whether the property itself is sold (`asset`), the company that owns it (`share`), or `either`.
             * @example asset
             */
            dealStructure?: ("asset" | "share" | "either") | null;
            /**
             * @description The area of all parcels of land.
             * @example {
             *       "value": 4180,
             *       "unit": "sqm"
             *     }
             */
            parcelArea?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The area of all floors within the outer walls.
             * @example {
             *       "value": 12450.5,
             *       "unit": "sqm"
             *     }
             */
            grossFloorArea?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The area of all floors within the inner walls.
             * @example {
             *       "value": 11200,
             *       "unit": "sqm"
             *     }
             */
            internalArea?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The area that can be let.
             * @example {
             *       "value": 10640,
             *       "unit": "sqm"
             *     }
             */
            lettableArea?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The area that is let.
             * @example {
             *       "value": 9870,
             *       "unit": "sqm"
             *     }
             */
            rentedArea?: components["schemas"]["AreaInput"] | null;
            /**
             * @description The area that is not let.
             * @example {
             *       "value": 770,
             *       "unit": "sqm"
             *     }
             */
            vacantArea?: components["schemas"]["AreaInput"] | null;
            /** @description The areas by their use. The whole list, at most 50. */
            areasByUse?: components["schemas"]["PropertyAreaByUseInput"][] | null;
            /** @description What may be built on the parcels. */
            zoning?: components["schemas"]["PropertyZoningInput"] | null;
            /**
             * @description What the property can be converted to. The whole list; each value counts once.
             * @example [
             *       "to_residential"
             *     ]
             */
            conversions?: ("to_residential" | "to_student_housing" | "to_senior_living" | "to_hotel" | "to_office" | "to_retail" | "to_logistics" | "to_healthcare" | "to_data_centre" | "densification" | "demolition")[] | null;
            /**
             * @description What else describes the property: a closed vocabulary, which mandates share. The whole list; each value counts once.
             * @example [
             *       "single_tenant"
             *     ]
             */
            tags?: ("single_tenant" | "multi_tenant" | "fully_let" | "partly_vacant" | "vacant_possession" | "long_lease" | "short_lease" | "indexed_rent" | "public_tenant" | "sale_and_leaseback" | "under_rented" | "over_rented" | "value_add" | "development_potential" | "forward_purchase" | "forward_funding" | "newly_built" | "refurbished" | "heritage_listed" | "contaminated_land" | "distressed_sale" | "portfolio" | "prime_location" | "city_centre" | "out_of_town" | "waterfront" | "rail_access" | "motorway_access" | "airport_nearby" | "esg_certified" | "fossil_heating")[] | null;
            /**
             * @description The year in which the building was finished.
             * @example 1998
             */
            yearBuilt?: number | null;
            /**
             * @description The year of the latest renovation.
             * @example 2016
             */
            yearRenovated?: number | null;
            /**
             * @description The number of buildings.
             * @example 1
             */
            buildingCount?: number | null;
            /**
             * @description The number of floors above ground.
             * @example 6
             */
            floorCount?: number | null;
            /**
             * @description The number of units that can be let one by one, such as flats.
             * @example 14
             */
            unitCount?: number | null;
            /**
             * @description The number of parking spaces.
             * @example 120
             */
            parkingSpaces?: number | null;
            /**
             * @description The grade of the building's quality, `a` being the best.
             * @example a
             */
            grade?: ("a" | "b" | "c") | null;
            /**
             * @description The structural condition.
             * @example new
             */
            condition?: ("new" | "refurbished" | "maintained" | "needs_refurbishment" | "shell" | "demolition") | null;
            /**
             * @description Whether the building is listed as heritage.
             * @example false
             */
            heritageListed?: boolean | null;
            /** @description What warehouses and factories are compared by. */
            industrial?: components["schemas"]["PropertyIndustrialInput"] | null;
            /** @description What hotels are compared by. */
            hotel?: components["schemas"]["PropertyHotelInput"] | null;
            /** @description What the property earns. Amounts are those of a year. */
            income?: components["schemas"]["PropertyIncomeInput"] | null;
            /** @description The tenants. The whole list, at most 200. */
            tenants?: components["schemas"]["PropertyTenantInput"][] | null;
            /** @description What the property costs. */
            pricing?: components["schemas"]["PropertyPricingInput"] | null;
            /** @description The energy certificate. */
            energy?: components["schemas"]["PropertyEnergyInput"] | null;
            /** @description The certificates of sustainability. The whole list, at most 50. */
            certifications?: components["schemas"]["PropertyCertificationInput"][] | null;
            /**
             * @description Whether the property is aligned with the taxonomy of the EU.
             * @example true
             */
            euTaxonomyAligned?: boolean | null;
            /**
             * @description The year from which the emissions exceed the path to 1.5 °C (CRREM).
             * @example 2037
             */
            strandingYear?: number | null;
            /** @description The names of the property in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        PropertyCreate: components["schemas"]["PropertyPatch"] & {
            /**
             * @description The name of the property.
             * @example Bürohaus Landsberger Straße
             */
            name: string;
        };
        /** @description A page of a list. */
        PropertyPage: {
            data: components["schemas"]["Property"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description The file storage is temporarily unavailable. */
        StorageUnavailable: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "storage_unavailable";
            /** @enum {integer} */
            status: 503;
        };
        /** @description The file has no such range. */
        RangeNotSatisfiable: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "range_not_satisfiable";
            /** @enum {integer} */
            status: 416;
        };
        /** @description A file on a contact, a company or a property. Its content never changes. */
        File: {
            /**
             * @description An opaque identifier: `file_` and 26 characters.
             * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The contact that the file belongs to; null if it belongs to another record.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contactId: string | null;
            /**
             * @description The company that the file belongs to; null if it belongs to another record.
             * @example null
             */
            companyId: string | null;
            /**
             * @description The property that the file belongs to; null if it belongs to another record.
             * @example null
             */
            propertyId: string | null;
            /**
             * @description The name of the file.
             * @example terms.txt
             */
            name: string;
            /**
             * @description The media type that the file was uploaded with.
             * @example text/plain
             */
            contentType: string;
            /**
             * @description The length of the content, in bytes.
             * @example 27
             */
            size: number;
            /**
             * @description The SHA-256 of the content, in lower-case hexadecimal.
             * @example 77f2562d5340c7d17dc4f73b8ba2a17e811ec5fe1c975389f1620747ec6e706a
             */
            sha256: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The request did not arrive in time. */
        RequestTimeout: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "request_timeout";
            /** @enum {integer} */
            status: 408;
        };
        /** @description The body is not a well-formed multipart form. */
        MalformedMultipart: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "malformed_multipart";
            /** @enum {integer} */
            status: 400;
        };
        /** @description A form with one field, `file`. */
        FileForm: {
            /**
             * Format: binary
             * @description The file, of 0 to 104,857,600 bytes. The part needs a file name, whose directories are ignored. Its Content-Type defaults to `application/octet-stream`.
             * @example The terms that we discussed.
             */
            file: string;
        };
        /** @description A page of a list. */
        FilePage: {
            data: components["schemas"]["File"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description A page of a list. */
        AssociatedProjectPage: {
            data: components["schemas"]["AssociatedProject"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description A project that has the contact or company on its list of prospects. */
        AssociatedProject: components["schemas"]["Project"] & {
            /**
             * @description The id of the prospect that the investor is on the project.
             * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            prospectId: string;
            /**
             * @description The classification of the investor on the project, as it was last written. Known values: `not_contacted`, `contacted`, `interested`, `bidder`. Later versions may add more.
             * @example not_contacted
             */
            prospectClassification: string;
        };
        /** @description A company in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
        Company: {
            /**
             * @description An opaque identifier: `company_` and 26 characters.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description Null on a tombstone.
             * @example Rossi Immobiliare
             */
            name: string | null;
            legalName: string | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case.
             * @example IT
             */
            country: string | null;
            /** @example https://www.rossi-immobiliare.example/it */
            homepageUrl: string | null;
            /**
             * @description In lower case and without `www.`. A new `homepageUrl` sets it, even if both are sent; otherwise it can be set alone. It stays when `homepageUrl` is cleared.
             * @example rossi-immobiliare.example
             */
            domain: string | null;
            /** @example https://www.linkedin.com/company/rossi-immobiliare */
            linkedInUrl: string | null;
            /**
             * @example [
             *       "logistics"
             *     ]
             */
            tags: string[];
            /**
             * @description What the company invests in, as free text.
             * @example Value-add logistics in northern Italy
             */
            strategy: string | null;
            /** @example https://cdn.example.com/rossi.png */
            profilePictureUrl: string | null;
            externalRefs: components["schemas"]["ExternalRef"][];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
            /**
             * @description On the tombstone of a company that was merged: the id of the company that it became part of. If that one has a tombstone, too, go on from its `mergedInto`. Null otherwise.
             * @example null
             */
            mergedInto: string | null;
        };
        /**
         * @description The companies to merge into this one.
         * @example {
         *       "from": [
         *         "company_01kb3n9w4hfr8tz2q6y1x5c7ve"
         *       ]
         *     }
         */
        CompanyMerge: {
            /** @description The ids of 1 to 100 other companies, each once. Those that were already merged into this one are ignored. */
            from: string[];
        };
        /** @description A person in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
        Contact: {
            /**
             * @description An opaque identifier: `contact_` and 26 characters.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description First and last name, or else the e-mail address. Null on a tombstone.
             * @example Anna Berg
             */
            name: string | null;
            firstName: string | null;
            lastName: string | null;
            email: string | null;
            phone: string | null;
            /** @description A BCP-47 tag, stored in canonical case. */
            primaryLanguage: string | null;
            /**
             * @description The id of the company that the contact mainly works for.
             * @example null
             */
            primaryCompanyId: string | null;
            /**
             * @example [
             *       "logistics"
             *     ]
             */
            tags: string[];
            /**
             * @description What the contact invests in, as free text.
             * @example Core-plus offices in the big seven
             */
            strategy: string | null;
            /** @example https://www.linkedin.com/in/anna-berg */
            linkedInUrl: string | null;
            /** @example https://cdn.example.com/anna.png */
            profilePictureUrl: string | null;
            externalRefs: components["schemas"]["ExternalRef"][];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
            /**
             * @description On the tombstone of a contact that was merged: the id of the contact that it became part of. If that one has a tombstone, too, go on from its `mergedInto`. Null otherwise.
             * @example null
             */
            mergedInto: string | null;
        };
        /**
         * @description The contacts to merge into this one.
         * @example {
         *       "from": [
         *         "contact_01kb3n9w4hfr8tz2q6y1x5c7ve"
         *       ]
         *     }
         */
        ContactMerge: {
            /** @description The ids of 1 to 100 other contacts, each once. Those that were already merged into this one are ignored. */
            from: string[];
        };
        /** @description Possible duplicates of the company. */
        DuplicateCompanies: {
            /** @description At most 20: those of the country first, then by score; empty if there are none. */
            data: components["schemas"]["DuplicateCompany"][];
        };
        /** @description A possible duplicate of the company. */
        DuplicateCompany: {
            /**
             * @description An opaque identifier: `company_` and 26 characters.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @example Castellum AB */
            name: string;
            /** @example castellum.example */
            domain: string | null;
            /** @example SE */
            countryCode: string | null;
            /**
             * @description The confidence, up to 1: the same domain, LinkedIn page or name (without case, accents and legal form). Below 1, the share of letters of the names that agree; at least 0.8.
             * @example 0.89
             */
            score: number;
        };
        /** @description A company that the network may already have. */
        DuplicateQuestion: {
            /**
             * @description Compared without case, accents, legal forms and word order; typing errors are tolerated.
             * @example Castelum
             */
            name: string;
            /**
             * @description The domain of the company, or its homepage. Compared in lower case and without `www.`.
             * @example castellum.example
             */
            domain?: string | null;
            /**
             * @description Companies of this country come first. Companies of other countries are found as well.
             * @example SE
             */
            countryCode?: string | null;
            /**
             * @description The LinkedIn page of the company. Scheme, subdomain, query and trailing slash are ignored.
             * @example https://www.linkedin.com/company/castellum-example
             */
            linkedInUrl?: string | null;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        LinkDeleteReceipts: {
            results: (components["schemas"]["LinkDeletedReceipt"] | components["schemas"]["MissingReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record was deleted. */
        LinkDeletedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "deleted";
            /** @description Always null. */
            etag: null;
        };
        /** @description The ids of at most 100 records. */
        LinkBatchDelete: {
            /**
             * @example [
             *       "link_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        LinkUpsertReceipts: {
            results: (components["schemas"]["LinkUpsertedReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record is as the item asks. */
        LinkUpsertedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
        };
        /** @description At most 100 items. They are processed in order, each on the state that the ones before it left. */
        LinkBatchUpsert: {
            items: components["schemas"]["LinkUpsert"][];
        };
        /**
         * @description A link to create or patch. It is found by `id`, or else by one of `externalRefs`, or else by its contact and company, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.
         * @example {
         *       "contactId": "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "companyId": "company_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "jobTitle": "Head of Acquisitions"
         *     }
         */
        LinkUpsert: {
            /**
             * @description An opaque identifier: `link_` and 26 characters.
             * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id?: string;
            /**
             * @description The `If-Match` of the item: the ETag of the record as you read it, quotes included. If the record has another one now, or does not exist any more, the item fails with `precondition_failed`. Null or blank: no check.
             * @example "v1"
             */
            etag?: string | null;
            /**
             * @description The id of the contact.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contactId?: string;
            /**
             * @description The id of the company.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            companyId?: string;
            jobTitle?: string | null;
            /** @description The names of the link in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        LinkGetReceipts: {
            results: (components["schemas"]["LinkFoundReceipt"] | components["schemas"]["MissingReceipt"])[];
        };
        /** @description The record. */
        LinkFoundReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "found";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
            resource: components["schemas"]["Link"];
        };
        /** @description A link between a contact and a company where it works. A tombstone only has its audit members, the two ids and its external references. A pair that is linked again gets the same link back. */
        Link: {
            /**
             * @description An opaque identifier: `link_` and 26 characters.
             * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The id of the contact.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contactId: string;
            /**
             * @description The id of the company.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            companyId: string;
            jobTitle: string | null;
            externalRefs: components["schemas"]["ExternalRef"][];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedUtc: string;
            /**
             * @description The value of the `ETag` header, with its quotes.
             * @example "v1"
             */
            etag: string;
            /**
             * @description The latest change. Known values: `created`, `updated`, `deleted`, `restored`. Later versions may add more.
             * @example created
             */
            changeType: string;
            /**
             * @description The origin of the latest change. Known values: `api`, `mcp`, `app`, `import`, `system`. Later versions may add more.
             * @example api
             */
            changeOrigin: string;
            /**
             * @description When it was deleted; null while it is not.
             * @example null
             */
            deletedUtc: string | null;
        };
        /** @description The ids of at most 100 records. */
        LinkBatchGet: {
            /**
             * @example [
             *       "link_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description The network already has this record. */
        Duplicate: components["schemas"]["ProblemDetails"] & {
            /** @enum {string} */
            code: "duplicate";
            /** @description Existing records that may be the same: at most 10, the oldest first, with the members that identify records of this type. */
            candidates: {
                /** @example contact_01kb3n7x2ferwt5z8q4j6m9d0c */
                id: string;
                name?: string | null;
                email?: string | null;
                domain?: string | null;
                country?: string | null;
                jobTitle?: string | null;
            }[];
            /** @enum {integer} */
            status: 409;
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members, such as the two ids, may be sent with their present value.
         * @example {
         *       "jobTitle": "Managing Director"
         *     }
         */
        LinkPatch: {
            jobTitle?: string | null;
            /** @description The names of the link in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /**
         * @description A new link between a contact and a company.
         * @example {
         *       "contactId": "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "companyId": "company_01kb3n7x2ferwt5z8q4j6m9d0c",
         *       "jobTitle": "Head of Acquisitions"
         *     }
         */
        LinkCreate: {
            /**
             * @description The id of the contact.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            contactId: string;
            /**
             * @description The id of the company.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            companyId: string;
            jobTitle?: string | null;
            /** @description The names of the link in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /** @description A page of a list. */
        LinkPage: {
            data: components["schemas"]["Link"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description A page of a list. */
        CompanySearchPage: {
            data: components["schemas"]["Company"][];
            page: components["schemas"]["PageInfo"];
        };
        /**
         * @description A search. Without members, it finds everything.
         * @example {
         *       "query": "immobiliare",
         *       "filter": {
         *         "country": {
         *           "in": [
         *             "IT",
         *             "DE"
         *           ]
         *         },
         *         "domain": {
         *           "exists": true
         *         }
         *       },
         *       "sort": [
         *         {
         *           "field": "name",
         *           "direction": "asc"
         *         }
         *       ],
         *       "page_size": 50
         *     }
         */
        CompanySearch: {
            /**
             * @description Words that a record contains, all of them, in any order.
             * @example muller berlin
             */
            query?: string;
            /** @description Conditions, all of which must be true. */
            filter?: {
                id?: components["schemas"]["CompanyIdFilter"];
                name?: components["schemas"]["TextFilter"];
                legalName?: components["schemas"]["TextFilter"];
                country?: components["schemas"]["TextFilter"];
                homepageUrl?: components["schemas"]["TextFilter"];
                domain?: components["schemas"]["TextFilter"];
                linkedInUrl?: components["schemas"]["TextFilter"];
                tags?: components["schemas"]["TagsFilter"];
                strategy?: components["schemas"]["TextFilter"];
                profilePictureUrl?: components["schemas"]["TextFilter"];
                externalRefs?: components["schemas"]["ExternalRefsFilter"];
                createdUtc?: components["schemas"]["TimestampFilter"];
                updatedUtc?: components["schemas"]["TimestampFilter"];
                etag?: components["schemas"]["EtagFilter"];
                changeType?: components["schemas"]["TextFilter"];
                changeOrigin?: components["schemas"]["TextFilter"];
                deletedUtc?: components["schemas"]["TimestampFilter"];
            };
            /** @description The order; defaults to `createdUtc`. */
            sort?: {
                field: string & ("id" | "name" | "legalName" | "country" | "homepageUrl" | "domain" | "linkedInUrl" | "strategy" | "profilePictureUrl" | "createdUtc" | "updatedUtc" | "etag" | "changeType" | "changeOrigin" | "deletedUtc");
                /**
                 * @description Defaults to `asc`.
                 * @example asc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            }[];
            /** @description The `nextCursor` of the previous page, with the same query, filter and sort. Opaque. */
            cursor?: string;
            /**
             * @description Rows per page; 50 if it is left out.
             * @example 50
             */
            page_size?: number;
        };
        /** @description Conditions, all of which must be true. */
        CompanyIdFilter: {
            /**
             * @description Equal to this.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            eq?: string;
            /** @description Equal to one of these values, at most 100. */
            in?: string[];
            /**
             * @description Greater than this.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gt?: string;
            /**
             * @description Greater than or equal to this.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gte?: string;
            /**
             * @description Less than this.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lt?: string;
            /**
             * @description Less than or equal to this.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lte?: string;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        CompanyDeleteReceipts: {
            results: (components["schemas"]["CompanyDeletedReceipt"] | components["schemas"]["MissingReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record was deleted. */
        CompanyDeletedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "deleted";
            /** @description Always null. */
            etag: null;
        };
        /** @description The ids of at most 100 records. */
        CompanyBatchDelete: {
            /**
             * @example [
             *       "company_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        CompanyUpsertReceipts: {
            results: (components["schemas"]["CompanyUpsertedReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record is as the item asks. */
        CompanyUpsertedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
        };
        /** @description At most 100 items. They are processed in order, each on the state that the ones before it left. */
        CompanyBatchUpsert: {
            items: components["schemas"]["CompanyUpsert"][];
        };
        /**
         * @description A company to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.
         * @example {
         *       "name": "Rossi Immobiliare",
         *       "country": "IT",
         *       "homepageUrl": "https://www.rossi-immobiliare.example/it",
         *       "tags": [
         *         "logistics"
         *       ],
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "c-501"
         *         }
         *       ]
         *     }
         */
        CompanyUpsert: components["schemas"]["CompanyPatch"] & {
            /**
             * @description An opaque identifier: `company_` and 26 characters.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id?: string;
            /**
             * @description The `If-Match` of the item: the ETag of the record as you read it, quotes included. If the record has another one now, or does not exist any more, the item fails with `precondition_failed`. Null or blank: no check.
             * @example "v1"
             */
            etag?: string | null;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        CompanyGetReceipts: {
            results: (components["schemas"]["CompanyFoundReceipt"] | components["schemas"]["MissingReceipt"])[];
        };
        /** @description The record. */
        CompanyFoundReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "found";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
            resource: components["schemas"]["Company"];
        };
        /** @description The ids of at most 100 records. */
        CompanyBatchGet: {
            /**
             * @example [
             *       "company_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value.
         * @example {
         *       "strategy": "Core logistics",
         *       "tags": [
         *         "logistics",
         *         "core"
         *       ]
         *     }
         */
        CompanyPatch: {
            /** @example Rossi Immobiliare */
            name?: string;
            legalName?: string | null;
            /**
             * @description ISO 3166-1 alpha-2, upper case.
             * @example IT
             */
            country?: string | null;
            /** @example https://www.rossi-immobiliare.example/it */
            homepageUrl?: string | null;
            /**
             * @description In lower case and without `www.`. A new `homepageUrl` sets it, even if both are sent; otherwise it can be set alone. It stays when `homepageUrl` is cleared.
             * @example rossi-immobiliare.example
             */
            domain?: string | null;
            /** @example https://www.linkedin.com/company/rossi-immobiliare */
            linkedInUrl?: string | null;
            /**
             * @description Labels of the company in the whole network, each once.
             * @example [
             *       "logistics",
             *       "core-plus"
             *     ]
             */
            tags?: string[];
            /**
             * @description What the company invests in, as free text.
             * @example Value-add logistics in northern Italy
             */
            strategy?: string | null;
            /** @example https://cdn.example.com/rossi.png */
            profilePictureUrl?: string | null;
            /** @description The names of the company in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /**
         * @description A new company.
         * @example {
         *       "name": "Rossi Immobiliare",
         *       "country": "IT",
         *       "homepageUrl": "https://www.rossi-immobiliare.example/it",
         *       "tags": [
         *         "logistics"
         *       ],
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "c-501"
         *         }
         *       ]
         *     }
         */
        CompanyCreate: components["schemas"]["CompanyPatch"] & {
            /** @example Rossi Immobiliare */
            name: string;
        };
        /** @description A page of a list. */
        CompanyPage: {
            data: components["schemas"]["Company"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description A page of a list. */
        ContactSearchPage: {
            data: components["schemas"]["Contact"][];
            page: components["schemas"]["PageInfo"];
        };
        /**
         * @description A search. Without members, it finds everything.
         * @example {
         *       "query": "muller",
         *       "filter": {
         *         "tags": {
         *           "in": [
         *             "logistics",
         *             "core-plus"
         *           ]
         *         },
         *         "email": {
         *           "exists": true
         *         }
         *       },
         *       "sort": [
         *         {
         *           "field": "lastName",
         *           "direction": "asc"
         *         }
         *       ],
         *       "page_size": 50
         *     }
         */
        ContactSearch: {
            /**
             * @description Words that a record contains, all of them, in any order.
             * @example muller berlin
             */
            query?: string;
            /** @description Conditions, all of which must be true. */
            filter?: {
                id?: components["schemas"]["ContactIdFilter"];
                name?: components["schemas"]["TextFilter"];
                firstName?: components["schemas"]["TextFilter"];
                lastName?: components["schemas"]["TextFilter"];
                email?: components["schemas"]["TextFilter"];
                phone?: components["schemas"]["TextFilter"];
                primaryLanguage?: components["schemas"]["TextFilter"];
                primaryCompanyId?: components["schemas"]["CompanyIdFilter"];
                tags?: components["schemas"]["TagsFilter"];
                strategy?: components["schemas"]["TextFilter"];
                linkedInUrl?: components["schemas"]["TextFilter"];
                profilePictureUrl?: components["schemas"]["TextFilter"];
                externalRefs?: components["schemas"]["ExternalRefsFilter"];
                createdUtc?: components["schemas"]["TimestampFilter"];
                updatedUtc?: components["schemas"]["TimestampFilter"];
                etag?: components["schemas"]["EtagFilter"];
                changeType?: components["schemas"]["TextFilter"];
                changeOrigin?: components["schemas"]["TextFilter"];
                deletedUtc?: components["schemas"]["TimestampFilter"];
            };
            /** @description The order; defaults to `createdUtc`. */
            sort?: {
                field: string & ("id" | "name" | "firstName" | "lastName" | "email" | "phone" | "primaryLanguage" | "primaryCompanyId" | "strategy" | "linkedInUrl" | "profilePictureUrl" | "createdUtc" | "updatedUtc" | "etag" | "changeType" | "changeOrigin" | "deletedUtc");
                /**
                 * @description Defaults to `asc`.
                 * @example asc
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            }[];
            /** @description The `nextCursor` of the previous page, with the same query, filter and sort. Opaque. */
            cursor?: string;
            /**
             * @description Rows per page; 50 if it is left out.
             * @example 50
             */
            page_size?: number;
        };
        /** @description Conditions, all of which must be true. */
        ContactIdFilter: {
            /**
             * @description Equal to this.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            eq?: string;
            /** @description Equal to one of these values, at most 100. */
            in?: string[];
            /**
             * @description Greater than this.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gt?: string;
            /**
             * @description Greater than or equal to this.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            gte?: string;
            /**
             * @description Less than this.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lt?: string;
            /**
             * @description Less than or equal to this.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            lte?: string;
            /** @description Whether it is not null. */
            exists?: boolean;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        ContactDeleteReceipts: {
            results: (components["schemas"]["ContactDeletedReceipt"] | components["schemas"]["MissingReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record was deleted. */
        ContactDeletedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "deleted";
            /** @description Always null. */
            etag: null;
        };
        /** @description The ids of at most 100 records. */
        ContactBatchDelete: {
            /**
             * @example [
             *       "contact_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        ContactUpsertReceipts: {
            results: (components["schemas"]["ContactUpsertedReceipt"] | components["schemas"]["FailedReceipt"])[];
        };
        /** @description The record is as the item asks. */
        ContactUpsertedReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
        };
        /** @description At most 100 items. They are processed in order, each on the state that the ones before it left. */
        ContactBatchUpsert: {
            items: components["schemas"]["ContactUpsert"][];
        };
        /**
         * @description A contact to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.
         * @example {
         *       "firstName": "Maria",
         *       "lastName": "Rossi",
         *       "phone": "+39 02 5550199",
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "8812"
         *         }
         *       ]
         *     }
         */
        ContactUpsert: components["schemas"]["ContactPatch"] & {
            /**
             * @description An opaque identifier: `contact_` and 26 characters.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id?: string;
            /**
             * @description The `If-Match` of the item: the ETag of the record as you read it, quotes included. If the record has another one now, or does not exist any more, the item fails with `precondition_failed`. Null or blank: no check.
             * @example "v1"
             */
            etag?: string | null;
        };
        /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
        ContactGetReceipts: {
            results: (components["schemas"]["ContactFoundReceipt"] | components["schemas"]["MissingReceipt"])[];
        };
        /** @description The record. */
        ContactFoundReceipt: {
            /**
             * @description The index of the item in the request, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The id of the record.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /** @enum {string} */
            status: "found";
            /**
             * @description The ETag of the record.
             * @example "v1"
             */
            etag: string;
            resource: components["schemas"]["Contact"];
        };
        /** @description The ids of at most 100 records. */
        ContactBatchGet: {
            /**
             * @example [
             *       "contact_01kb3n7x2ferwt5z8q4j6m9d0c"
             *     ]
             */
            ids: string[];
        };
        /**
         * @description A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value.
         * @example {
         *       "phone": "+39 02 5550199",
         *       "tags": [
         *         "logistics"
         *       ]
         *     }
         */
        ContactPatch: {
            firstName?: string | null;
            lastName?: string | null;
            email?: string | null;
            phone?: string | null;
            /** @description A BCP-47 tag, stored in canonical case. */
            primaryLanguage?: string | null;
            /**
             * @description The id of the company that the contact mainly works for.
             * @example null
             */
            primaryCompanyId?: string | null;
            /**
             * @description Labels of the contact in the whole network, each once.
             * @example [
             *       "logistics",
             *       "core-plus"
             *     ]
             */
            tags?: string[];
            /**
             * @description What the contact invests in, as free text.
             * @example Core-plus offices in the big seven
             */
            strategy?: string | null;
            /** @example https://www.linkedin.com/in/anna-berg */
            linkedInUrl?: string | null;
            /** @example https://cdn.example.com/anna.png */
            profilePictureUrl?: string | null;
            /** @description The names of the contact in other systems; the whole list. */
            externalRefs?: components["schemas"]["ExternalRef"][];
        };
        /**
         * @description A new contact. It needs one of `email`, `firstName` and `lastName`.
         * @example {
         *       "firstName": "Maria",
         *       "lastName": "Rossi",
         *       "email": "maria.rossi@example.com",
         *       "primaryLanguage": "it-IT",
         *       "tags": [
         *         "logistics",
         *         "core-plus"
         *       ],
         *       "externalRefs": [
         *         {
         *           "namespace": "hubspot",
         *           "externalId": "8812"
         *         }
         *       ]
         *     }
         */
        ContactCreate: components["schemas"]["ContactPatch"];
        /** @description A page of a list. */
        ContactPage: {
            data: components["schemas"]["Contact"][];
            page: components["schemas"]["DeltaPageInfo"];
        };
        /** @description A page of a list. */
        TeamMemberPage: {
            data: components["schemas"]["TeamMember"][];
            page: components["schemas"]["PageInfo"];
        };
        /** @description An active member of a team. */
        TeamMember: {
            /**
             * @description An opaque identifier: `user_` and 26 characters.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The display name.
             * @example Anna Berg
             */
            name: string;
            /**
             * @description Given name.
             * @example Anna
             */
            firstName: string | null;
            /**
             * @description Family name.
             * @example Berg
             */
            lastName: string | null;
            /** @description Null for bots. */
            email: string | null;
            /**
             * @description The member's role in the team. Known values: `admin`, `member`. Later versions may add more.
             * @example admin
             */
            role: string;
            /**
             * @description Absolute URL of the avatar.
             * @example https://cdn.example.com/anna.png
             */
            profilePictureUrl: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            joinedUtc: string;
        };
        /** @description A team, the tenant that all resources belong to. */
        Team: {
            /**
             * @description An opaque identifier: `team_` and 26 characters.
             * @example team_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description Display name.
             * @example Berg Partners
             */
            name: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC, with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            createdUtc: string;
            /**
             * @description The team's plan. Known values: `free`, `professional`, `plus`. Later versions may add more.
             * @example free
             */
            plan: string;
            /**
             * @description Investment-profile categories; empty when none apply.
             * @example [
             *       "asset_management"
             *     ]
             */
            categories: string[];
            membership: components["schemas"]["Membership"];
            contactPerson: components["schemas"]["TeamContactPersonSummary"] | null;
            /** @description ISO 3166-1 alpha-2 code of the primary address. */
            country: string | null;
            /**
             * @description Free text.
             * @example Advises family offices on logistics property.
             */
            description: string | null;
            /**
             * @description Public homepage.
             * @example https://www.berg-partners.example
             */
            homepageUrl: string | null;
            /** @description Self-reported preferred ticket size per investment. */
            investmentCapacity: components["schemas"]["PriceRange"] | null;
            /** @description Self-reported preferred leasable area in square metres. */
            leasableArea: components["schemas"]["AreaRange"] | null;
            /**
             * @description Registered name when it is not the display name.
             * @example Berg Partners GmbH
             */
            legalName: string | null;
            /**
             * @description Absolute URL of the logo.
             * @example https://cdn.example.com/berg.png
             */
            profilePictureUrl: string | null;
            /** @description Self-reported preferred number of properties per deal. */
            propertyCount: components["schemas"]["UnitRange"] | null;
            /** @description Self-reported preferred property value. */
            propertyValue: components["schemas"]["PriceRange"] | null;
            /** @description Self-reported hard cap on the size of a single deal. */
            restrictedInvestmentSize: components["schemas"]["PriceRange"] | null;
            /**
             * @description Self-reported investment thesis, free text.
             * @example Core-plus offices in the big seven
             */
            strategy: string | null;
            /**
             * @description VAT or tax registration number.
             * @example DE123456789
             */
            vatNumber: string | null;
            /**
             * @description The number of active members. Omitted for callers with a pending invitation.
             * @example 2
             */
            memberCount?: number;
            /**
             * @description True if the team has more active members than `members` lists: `GET /api/v1/teams/{id}/members` lists all. Omitted for callers with a pending invitation.
             * @example false
             */
            hasMoreMembers?: boolean;
            /** @description Active members, admins first, then by display name; at most 50. Omitted for callers with a pending invitation. */
            members?: components["schemas"]["TeamMember"][];
        };
        /** @description The caller's membership in the team. */
        Membership: {
            /**
             * @description Whether the caller has joined the team or is only invited to it. Known values: `active`, `pending`. Later versions may add more.
             * @example active
             */
            status: string;
            /**
             * @description The caller's role in the team. Known values: `admin`, `member`. Later versions may add more.
             * @example admin
             */
            role: string;
        };
        /** @description The caller: a person, or a bot that a client acts for. */
        Me: {
            /**
             * @description An opaque identifier: `user_` and 26 characters.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            id: string;
            /**
             * @description The display name.
             * @example Anna Berg
             */
            name: string;
            /**
             * @description Given name.
             * @example Anna
             */
            firstName: string | null;
            /**
             * @description Family name.
             * @example Berg
             */
            lastName: string | null;
            /** @description Primary e-mail address; null for bots. */
            email: string | null;
            /**
             * @description Whether the primary e-mail address is verified.
             * @example true
             */
            emailConfirmed: boolean;
            /**
             * @description Primary phone number.
             * @example +49 30 1234567
             */
            phone: string | null;
            /**
             * @description Whether the primary phone number is verified.
             * @example false
             */
            phoneConfirmed: boolean;
            /**
             * @description True for automated service accounts; omitted for people.
             * @example true
             */
            isBot?: boolean;
            /**
             * @description Absolute URL of the avatar.
             * @example https://cdn.example.com/anna.png
             */
            profilePictureUrl: string | null;
            /**
             * @description BCP-47 culture tag for dates and numbers.
             * @example de-DE
             */
            culture: string;
            /**
             * @description BCP-47 tag of the language of the user interface.
             * @example en-US
             */
            uiCulture: string;
            /**
             * @description ISO 3166-1 alpha-2 code.
             * @example DE
             */
            region: string;
            /**
             * @description IANA time-zone identifier.
             * @example Europe/Berlin
             */
            timeZone: string;
            capabilities: components["schemas"]["Capabilities"];
            /** @description The caller's primary team; null when the caller has no active team. */
            primaryTeam: components["schemas"]["Team"] | null;
            /** @description Other teams that the caller belongs to or is invited to, as `membership.status` says. Omitted if there are none. */
            secondaryTeams?: components["schemas"]["Team"][];
        };
        /**
         * @description A capability is present only if the caller has requested it.
         * @example {
         *       "broker": "active"
         *     }
         */
        Capabilities: {
            /**
             * @description Brokers work with their network, projects, prospects, properties and teasers. `pending` until the request is approved; absent without a request. Known values: `active`, `pending`. Later versions may add more.
             * @example active
             */
            broker?: string;
            /**
             * @description Investors read offers and manage mandates. `pending` until the request is approved; absent without a request. Known values: `active`, `pending`. Later versions may add more.
             * @example active
             */
            investor?: string;
        };
        /** @description The answer to a write with `Prefer: dry-run` that would have succeeded. */
        DryRunReport: {
            /**
             * @description The status that the write would have answered without `Prefer`.
             * @example 204
             */
            wouldAnswer: number;
            /**
             * @description The body that the write would have answered; null if it has none.
             * @example null
             */
            result: unknown;
            /** @description The events that subscribers would have received. */
            events: {
                /** @example contact.deleted */
                event: string;
                /** @example contact_01kb3n7x2ferwt5z8q4j6m9d0c */
                resource_id: string;
            }[];
            /** @description The resources that would have changed. */
            affected: {
                /** @example contact */
                type: string;
                /** @example contact_01kb3n7x2ferwt5z8q4j6m9d0c */
                id: string;
                /** @example deleted */
                change: string;
            }[];
            /** @description How many further resources would change after the answer, in steps, because they are too many for one transaction. Left out if there are none. */
            later?: {
                /** @example link */
                type: string;
                /** @example deleted */
                change: string;
                /** @example 94000 */
                count: number;
            }[];
        };
        /** @description The OAuth client that made the change. */
        ChangeInitiator: {
            /** @enum {string} */
            type: "oauth_client";
            /** @example client_01kb3n7x2ferwt5z8q4j6m9d0c */
            client_id: string;
        };
        /** @description What the payloads of all events have. */
        EventPayload: {
            /**
             * @description The id of the resource.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            resource_id: string;
            /**
             * Format: date-time
             * @description When the change was made, in UTC with milliseconds.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description A number from a sequence, unique to this event. A request that emits several events draws one for each.
             * @example 4711
             */
            action_id: number;
            /**
             * @description The id of the user who made the change; null if no user made it.
             * @example user_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            actor_user_id: string | null;
            /** @description The OAuth client that made the change; null if it was made with a personal access token, by the operator or by the service. */
            change_initiator: components["schemas"]["ChangeInitiator"] | null;
            caused_by?: components["schemas"]["EventCause"];
            /** @description `true` on test deliveries, and absent on others. */
            _test?: boolean;
        };
        /** @description The event from which this one follows; absent if the change was requested itself. */
        EventCause: {
            /**
             * @description The type of that event.
             * @example contact.deleted
             */
            event: string;
            /**
             * @description The id of its resource.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            resource_id: string;
        };
        /**
         * @description The names of the changed fields; null if none of them changed, and `action` tells what happened.
         * @example [
         *       "email",
         *       "phone"
         *     ]
         */
        EventChangedFields: string[] | null;
        /** @description The external references that the resource had when it was deleted. */
        EventExternalRefs: {
            /** @example crm */
            namespace: string;
            /** @example 4711 */
            id: string;
        }[];
        /**
         * @description The id of the project.
         * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventProjectId: string;
        /**
         * @description The id of the prospect.
         * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventProspectId: string;
        /**
         * @description The id of the contact.
         * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventContactId: string;
        /**
         * @description The id of the company.
         * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventCompanyId: string;
        /**
         * @description The id of the property.
         * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventPropertyId: string;
        /**
         * @description The id of the contact that is the investor; absent if it is a company.
         * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventInvestorContactId: string;
        /**
         * @description The id of the company that is the investor; absent if it is a contact.
         * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventInvestorCompanyId: string;
        /**
         * @description The id of the task.
         * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventTaskId: string;
        /**
         * @description The id of the data room.
         * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventRoomId: string;
        /**
         * @description The id of the question.
         * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        EventQuestionId: string;
        EventAction: {
            /**
             * @description The type; events document those that are known.
             * @example merged
             */
            type: string;
        };
        EventMergedInto: {
            /**
             * @description The type; events document those that are known.
             * @example merged
             */
            type: string;
            /**
             * @description The id of the record that this one was merged into.
             * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            to?: string;
        };
        EventMove: {
            /**
             * @description The type; events document those that are known.
             * @example merged
             */
            type: string;
            /**
             * @description The previous classification, interest or stage; absent if there was none.
             * @example contacted
             */
            from?: string;
            /**
             * @description The new classification, interest or stage; absent if it was cleared.
             * @example interested
             */
            to?: string;
        };
        EventMoveWithNote: {
            /**
             * @description The type; events document those that are known.
             * @example merged
             */
            type: string;
            /**
             * @description The previous classification, interest or stage; absent if there was none.
             * @example contacted
             */
            from?: string;
            /**
             * @description The new classification, interest or stage; absent if it was cleared.
             * @example interested
             */
            to?: string;
            /**
             * @description The id of the note that was written with the change.
             * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
             */
            note_id?: string;
        };
        /** @description What the payloads of all events of the type `contact` have. */
        ContactEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "contact";
        };
        /** @description What the payloads of all events of the type `company` have. */
        CompanyEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "company";
        };
        /** @description What the payloads of all events of the type `link` have. */
        LinkEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "link";
            contact_id: components["schemas"]["EventContactId"];
            company_id: components["schemas"]["EventCompanyId"];
        };
        /** @description What the payloads of all events of the type `property` have. */
        PropertyEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "property";
        };
        /** @description What the payloads of all events of the type `project` have. */
        ProjectEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "project";
        };
        /** @description What the payloads of all events of the type `prospect` have. */
        ProspectEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "prospect";
            project_id: components["schemas"]["EventProjectId"];
            contact_id?: components["schemas"]["EventInvestorContactId"];
            company_id?: components["schemas"]["EventInvestorCompanyId"];
        };
        /** @description What the payloads of all events of the type `mandate` have. */
        MandateEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "mandate";
            contact_id?: components["schemas"]["EventInvestorContactId"];
            company_id?: components["schemas"]["EventInvestorCompanyId"];
        };
        /** @description What the payloads of all events of the type `offer` have. */
        OfferEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "offer";
        };
        /** @description What the payloads of all events of the type `teaser` have. */
        TeaserEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "teaser";
            project_id?: components["schemas"]["EventProjectId"];
            property_id?: components["schemas"]["EventPropertyId"];
            room_id?: components["schemas"]["EventRoomId"];
        };
        /** @description What the payloads of all events of the type `room` have. */
        RoomEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "room";
            project_id: components["schemas"]["EventProjectId"];
            prospect_id?: components["schemas"]["EventProspectId"];
            contact_id?: components["schemas"]["EventInvestorContactId"];
            company_id?: components["schemas"]["EventInvestorCompanyId"];
            question_id?: components["schemas"]["EventQuestionId"];
        };
        /** @description What the payloads of all events of the type `note` have. */
        NoteEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "note";
            project_id?: components["schemas"]["EventProjectId"];
            prospect_id?: components["schemas"]["EventProspectId"];
            contact_id?: components["schemas"]["EventContactId"];
            company_id?: components["schemas"]["EventCompanyId"];
            property_id?: components["schemas"]["EventPropertyId"];
        };
        /** @description What the payloads of all events of the type `file` have. */
        FileEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "file";
            contact_id?: components["schemas"]["EventContactId"];
            company_id?: components["schemas"]["EventCompanyId"];
            property_id?: components["schemas"]["EventPropertyId"];
        };
        /** @description What the payloads of all events of the type `webhook` have. */
        WebhookEvent: components["schemas"]["EventPayload"] & {
            /** @enum {string} */
            resource_type: "webhook";
        };
        ContactCreatedEvent: components["schemas"]["ContactEvent"] & {
            /** @enum {string} */
            event: "contact.created";
        };
        ContactUpdatedEvent: components["schemas"]["ContactEvent"] & {
            /** @enum {string} */
            event: "contact.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description Present if other records were merged into this one. Known types: `merged`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        ContactDeletedEvent: components["schemas"]["ContactEvent"] & {
            /** @enum {string} */
            event: "contact.deleted";
            /** @description Present if the record was merged into another one. Known types: `merged`. Later versions may add more. */
            action?: components["schemas"]["EventMergedInto"];
        };
        CompanyCreatedEvent: components["schemas"]["CompanyEvent"] & {
            /** @enum {string} */
            event: "company.created";
        };
        CompanyUpdatedEvent: components["schemas"]["CompanyEvent"] & {
            /** @enum {string} */
            event: "company.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description Present if other records were merged into this one. Known types: `merged`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        CompanyDeletedEvent: components["schemas"]["CompanyEvent"] & {
            /** @enum {string} */
            event: "company.deleted";
            /** @description Present if the record was merged into another one. Known types: `merged`. Later versions may add more. */
            action?: components["schemas"]["EventMergedInto"];
        };
        LinkCreatedEvent: components["schemas"]["LinkEvent"] & {
            /** @enum {string} */
            event: "link.created";
        };
        LinkUpdatedEvent: components["schemas"]["LinkEvent"] & {
            /** @enum {string} */
            event: "link.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        LinkDeletedEvent: components["schemas"]["LinkEvent"] & {
            /** @enum {string} */
            event: "link.deleted";
        };
        PropertyCreatedEvent: components["schemas"]["PropertyEvent"] & {
            /** @enum {string} */
            event: "property.created";
        };
        PropertyUpdatedEvent: components["schemas"]["PropertyEvent"] & {
            /** @enum {string} */
            event: "property.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        PropertyDeletedEvent: components["schemas"]["PropertyEvent"] & {
            /** @enum {string} */
            event: "property.deleted";
        };
        ProjectCreatedEvent: components["schemas"]["ProjectEvent"] & {
            /** @enum {string} */
            event: "project.created";
        };
        ProjectUpdatedEvent: components["schemas"]["ProjectEvent"] & {
            /** @enum {string} */
            event: "project.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description Present if the project was closed or reopened. Known types: `closed`, `reopened`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        ProjectDeletedEvent: components["schemas"]["ProjectEvent"] & {
            /** @enum {string} */
            event: "project.deleted";
            external_refs: components["schemas"]["EventExternalRefs"];
        };
        ProjectRestoredEvent: components["schemas"]["ProjectEvent"] & {
            /** @enum {string} */
            event: "project.restored";
        };
        ProspectCreatedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.created";
            /** @description How the prospect came to the list. Known types: `added`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        ProspectUpdatedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description What happened; absent if only project tags or external references changed. Known types: `classified`, `interest_changed`, `stage_overridden`, `stage_raised`, `removed`, `restored`, `accepted`. Later versions may add more. */
            action?: components["schemas"]["EventMoveWithNote"];
        };
        ProspectDeletedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.deleted";
            external_refs: components["schemas"]["EventExternalRefs"];
            /** @description Present if the record was merged into another one. Known types: `merged`. Later versions may add more. */
            action?: components["schemas"]["EventMergedInto"];
        };
        MandateCreatedEvent: components["schemas"]["MandateEvent"] & {
            /** @enum {string} */
            event: "mandate.created";
        };
        MandateUpdatedEvent: components["schemas"]["MandateEvent"] & {
            /** @enum {string} */
            event: "mandate.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        MandateDeletedEvent: components["schemas"]["MandateEvent"] & {
            /** @enum {string} */
            event: "mandate.deleted";
        };
        OfferCreatedEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.created";
        };
        OfferUpdatedEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description What happened. Known types: `read`, `accepted`, `rejected`, `expired`, `removed`, `restored`, `closed`, `communicated`, `access_granted`, `access_revoked`, `access_expired`, `file_uploaded`, `answer_published`, `message_sent`, `file_shared`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        TeaserPublishedEvent: components["schemas"]["TeaserEvent"] & {
            /** @enum {string} */
            event: "teaser.published";
        };
        TeaserCommunicatedEvent: components["schemas"]["TeaserEvent"] & {
            /** @enum {string} */
            event: "teaser.communicated";
        };
        ProjectClosedEvent: components["schemas"]["ProjectEvent"] & {
            /** @enum {string} */
            event: "project.closed";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description What happened. Known types: `closed`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        ProjectReopenedEvent: components["schemas"]["ProjectEvent"] & {
            /** @enum {string} */
            event: "project.reopened";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description What happened. Known types: `reopened`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        ProjectCommunicatedEvent: components["schemas"]["ProjectEvent"] & {
            /** @enum {string} */
            event: "project.communicated";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        ProspectRemovedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.removed";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description What happened, as in `prospect.updated`. Known types: `removed`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        ProspectRestoredEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.restored";
            changed_fields: components["schemas"]["EventChangedFields"];
            /** @description What happened, as in `prospect.updated`. Known types: `restored`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        ProspectTeaserCommunicatedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.teaser_communicated";
            /** @description Present if the stage was raised. Known types: `stage_raised`. Later versions may add more. */
            action?: components["schemas"]["EventMove"];
        };
        ProspectImSharedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.im_shared";
            /** @description Present if the stage was raised. Known types: `stage_raised`. Later versions may add more. */
            action?: components["schemas"]["EventMove"];
        };
        ProspectRoomAccessGrantedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.room_access_granted";
            /** @description Present if the stage was raised. Known types: `stage_raised`. Later versions may add more. */
            action?: components["schemas"]["EventMove"];
        };
        ProspectBidRecordedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.bid_recorded";
            /** @description Present if the stage was raised. Known types: `stage_raised`. Later versions may add more. */
            action?: components["schemas"]["EventMove"];
        };
        ProspectAcceptedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.accepted";
        };
        ProspectRejectedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.rejected";
        };
        ProspectClassifiedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.classified";
            /** @description What happened, as in `prospect.updated`. Known types: `classified`. Later versions may add more. */
            action?: components["schemas"]["EventMoveWithNote"];
        };
        ProspectInterestChangedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.interest_changed";
            /** @description What happened, as in `prospect.updated`. Known types: `interest_changed`. Later versions may add more. */
            action?: components["schemas"]["EventMove"];
        };
        ProspectStageOverriddenEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.stage_overridden";
            /** @description What happened, as in `prospect.updated`. Known types: `stage_overridden`. Later versions may add more. */
            action?: components["schemas"]["EventMove"];
        };
        ProspectStageOverrideWithdrawnEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.stage_override_withdrawn";
            /** @description What happened, as in `prospect.updated`. Known types: `stage_overridden`. Later versions may add more. */
            action?: components["schemas"]["EventMove"];
        };
        ProspectProjectTagsChangedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.project_tags_changed";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        ProspectExternalRefsChangedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.external_refs_changed";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        ProspectOwnerChangedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.owner_changed";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        ProspectAccessExpiryChangedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.access_expiry_changed";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        ProspectTaskAddedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.task_added";
            task_id: components["schemas"]["EventTaskId"];
        };
        ProspectTaskUpdatedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.task_updated";
            changed_fields: components["schemas"]["EventChangedFields"];
            task_id: components["schemas"]["EventTaskId"];
        };
        ProspectTaskCompletedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.task_completed";
            task_id: components["schemas"]["EventTaskId"];
        };
        ProspectTaskCanceledEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.task_canceled";
            task_id: components["schemas"]["EventTaskId"];
        };
        ProspectTaskReopenedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.task_reopened";
            task_id: components["schemas"]["EventTaskId"];
        };
        ProspectMessageSentEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.message_sent";
        };
        ProspectFileSharedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.file_shared";
        };
        ProspectCallLoggedEvent: components["schemas"]["ProspectEvent"] & {
            /** @enum {string} */
            event: "prospect.call_logged";
        };
        TeaserUpdatedEvent: components["schemas"]["TeaserEvent"] & {
            /** @enum {string} */
            event: "teaser.updated";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        TeaserUnpublishedEvent: components["schemas"]["TeaserEvent"] & {
            /** @enum {string} */
            event: "teaser.unpublished";
        };
        TeaserVerifiedEvent: components["schemas"]["TeaserEvent"] & {
            /** @enum {string} */
            event: "teaser.verified";
        };
        TeaserUnverifiedEvent: components["schemas"]["TeaserEvent"] & {
            /** @enum {string} */
            event: "teaser.unverified";
        };
        OfferReadEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.read";
            /** @description What happened. Known types: `read`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        OfferAcceptedEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.accepted";
            /** @description What happened. Known types: `accepted`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        OfferRejectedEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.rejected";
            /** @description What happened. Known types: `rejected`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        OfferExpiredEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.expired";
            /** @description What happened. Known types: `expired`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        OfferRemovedEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.removed";
            /** @description What happened. Known types: `removed`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        OfferRestoredEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.restored";
            /** @description What happened. Known types: `restored`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        OfferClosedEvent: components["schemas"]["OfferEvent"] & {
            /** @enum {string} */
            event: "offer.closed";
            /** @description What happened. Known types: `closed`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        RoomOpenedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.opened";
        };
        RoomUpdatedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.updated";
        };
        RoomWindingDownEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.winding_down";
        };
        RoomReopenedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.reopened";
        };
        RoomClosedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.closed";
        };
        RoomAccessGrantedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.access_granted";
        };
        RoomAccessRevokedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.access_revoked";
        };
        RoomAccessExpiredEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.access_expired";
        };
        RoomFileUploadedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.file_uploaded";
        };
        RoomQuestionAskedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.question_asked";
        };
        RoomQuestionUpdatedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.question_updated";
            changed_fields: components["schemas"]["EventChangedFields"];
        };
        RoomAnswerDraftedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.answer_drafted";
        };
        RoomQuestionAnsweredEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.question_answered";
        };
        RoomQuestionClosedEvent: components["schemas"]["RoomEvent"] & {
            /** @enum {string} */
            event: "room.question_closed";
        };
        NoteCreatedEvent: components["schemas"]["NoteEvent"] & {
            /** @enum {string} */
            event: "note.created";
        };
        NoteSupersededEvent: components["schemas"]["NoteEvent"] & {
            /** @enum {string} */
            event: "note.superseded";
            /** @description What happened. Known types: `superseded`. Later versions may add more. */
            action?: {
                /**
                 * @description The type.
                 * @example superseded
                 */
                type: string;
                /**
                 * @description The id of the note that replaced this one.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                to?: string;
            };
        };
        NoteArchivedEvent: components["schemas"]["NoteEvent"] & {
            /** @enum {string} */
            event: "note.archived";
        };
        NoteUnarchivedEvent: components["schemas"]["NoteEvent"] & {
            /** @enum {string} */
            event: "note.unarchived";
        };
        FileUploadedEvent: components["schemas"]["FileEvent"] & {
            /** @enum {string} */
            event: "file.uploaded";
        };
        FileDeletedEvent: components["schemas"]["FileEvent"] & {
            /** @enum {string} */
            event: "file.deleted";
        };
        WebhookFailingEvent: components["schemas"]["WebhookEvent"] & {
            /** @enum {string} */
            event: "webhook.failing";
            /** @description What happened. Known types: `failing`. Later versions may add more. */
            action?: components["schemas"]["EventAction"];
        };
        WebhookDisabledEvent: components["schemas"]["WebhookEvent"] & {
            /** @enum {string} */
            event: "webhook.disabled";
            /** @description What happened. Known types: `disabled`. Later versions may add more. */
            action?: {
                /**
                 * @description The type.
                 * @example disabled
                 */
                type: string;
                /**
                 * @description Why: `receiver_gone` or `deliveries_exhausted`.
                 * @example deliveries_exhausted
                 */
                reason?: string;
            };
        };
    };
    responses: {
        /** @description Another change came first. */
        ConcurrencyConflict: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"];
            };
        };
        /** @description Another change came first. | Another resource holds this external reference. */
        ConcurrencyConflictOrExternalReferenceTaken: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["ExternalReferenceTaken"];
            };
        };
        /** @description Another change came first. | Another resource holds this external reference. | The prospect was removed from the list. */
        ConcurrencyConflictOrExternalReferenceTakenOrProspectRemoved: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["ExternalReferenceTaken"] | components["schemas"]["ProspectRemoved"];
            };
        };
        /** @description Another change came first. | The resource was merged into another one. */
        ConcurrencyConflictOrMerged: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["Merged"];
            };
        };
        /** @description Another change came first. | The resource was merged into another one. | The network already has this record. | Another resource holds this external reference. */
        ConcurrencyConflictOrMergedOrDuplicateOrExternalReferenceTaken: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["Merged"] | components["schemas"]["Duplicate"] | components["schemas"]["ExternalReferenceTaken"];
            };
        };
        /** @description Another change came first. | The resource was merged into another one. | Another resource holds this external reference. */
        ConcurrencyConflictOrMergedOrExternalReferenceTaken: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["Merged"] | components["schemas"]["ExternalReferenceTaken"];
            };
        };
        /** @description Another change came first. | The resource was merged into another one. | The property is on a project that is not closed. */
        ConcurrencyConflictOrMergedOrPropertyOnProject: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["Merged"] | components["schemas"]["PropertyOnProject"];
            };
        };
        /** @description Another change came first. | The project is closed. */
        ConcurrencyConflictOrProjectClosed: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["ProjectClosed"];
            };
        };
        /** @description Another change came first. | The project is not deleted. | Another resource holds this external reference. */
        ConcurrencyConflictOrProjectNotDeletedOrExternalReferenceTaken: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["ProjectNotDeleted"] | components["schemas"]["ExternalReferenceTaken"];
            };
        };
        /** @description Another change came first. | The project was shared. */
        ConcurrencyConflictOrProjectShared: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["ProjectShared"];
            };
        };
        /** @description Another change came first. | The prospect was removed from the list. */
        ConcurrencyConflictOrProspectRemoved: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["ProspectRemoved"];
            };
        };
        /** @description Another change came first. | The question's state does not allow this. | The state of the room or of its project does not allow this. */
        ConcurrencyConflictOrQuestionMoveRefusedOrRoomRefused: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["QuestionMoveRefused"] | components["schemas"]["RoomRefused"];
            };
        };
        /** @description Another change came first. | A quota is used up. */
        ConcurrencyConflictOrQuotaExceeded: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["QuotaExceeded"];
            };
        };
        /** @description Another change came first. | A quota is used up. | The resource was merged into another one. */
        ConcurrencyConflictOrQuotaExceededOrMerged: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["Merged"];
            };
        };
        /** @description Another change came first. | A quota is used up. | The prospect was removed from the list. */
        ConcurrencyConflictOrQuotaExceededOrProspectRemoved: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConcurrencyConflict"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["ProspectRemoved"];
            };
        };
        /** @description The first request with this key is still running. | A quota is used up. */
        IdempotencyInProgressOrQuotaExceeded: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyInProgress"] | components["schemas"]["QuotaExceeded"];
            };
        };
        /** @description The first request with this key is still running. | A quota is used up. | The network already has this record. | Another resource holds this external reference. */
        IdempotencyInProgressOrQuotaExceededOrDuplicateOrExternalReferenceTaken: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyInProgress"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["Duplicate"] | components["schemas"]["ExternalReferenceTaken"];
            };
        };
        /** @description The first request with this key is still running. | A quota is used up. | Another resource holds this external reference. */
        IdempotencyInProgressOrQuotaExceededOrExternalReferenceTaken: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyInProgress"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["ExternalReferenceTaken"];
            };
        };
        /** @description The first request with this key is still running. | A quota is used up. | The resource was merged into another one. */
        IdempotencyInProgressOrQuotaExceededOrMerged: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyInProgress"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["Merged"];
            };
        };
        /** @description The first request with this key is still running. | A quota is used up. | The investor is on the project's list already. | Another resource holds this external reference. */
        IdempotencyInProgressOrQuotaExceededOrProspectExistsOrExternalReferenceTaken: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyInProgress"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["ProspectExists"] | components["schemas"]["ExternalReferenceTaken"];
            };
        };
        /** @description The first request with this key is still running. | A quota is used up. | The prospect was removed from the list. */
        IdempotencyInProgressOrQuotaExceededOrProspectRemoved: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyInProgress"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["ProspectRemoved"];
            };
        };
        /** @description The first request with this key is still running. | A quota is used up. | The team has reached its limit of webhooks. */
        IdempotencyInProgressOrQuotaExceededOrWebhookLimitReached: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyInProgress"] | components["schemas"]["QuotaExceeded"] | components["schemas"]["WebhookLimitReached"];
            };
        };
        /** @description This key was used before with another body. */
        IdempotencyKeyReused: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyReused"];
            };
        };
        /** @description This key was used before with another body. | Members of the request exclude each other. */
        IdempotencyKeyReusedOrValidationFailed: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyReused"] | components["schemas"]["ValidationFailed"];
            };
        };
        /** @description The token does not allow this. | The caller lacks a required capability. | The caller has not joined the team yet. */
        InsufficientScopeOrCapabilityRequiredOrMembershipPending: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InsufficientScope"] | components["schemas"]["CapabilityRequired"] | components["schemas"]["MembershipPending"];
            };
        };
        /** @description The service failed unexpectedly. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalError"];
            };
        };
        /** @description The request is not valid. */
        InvalidRequest: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequest"];
            };
        };
        /** @description The request is not valid. | The cursor does not belong to this list. */
        InvalidRequestOrInvalidCursor: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidCursor"];
            };
        };
        /** @description The request is not valid. | The cursor does not belong to this list. | The body is not well-formed JSON. */
        InvalidRequestOrInvalidCursorOrMalformedJson: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequest"] | components["schemas"]["InvalidCursor"] | components["schemas"]["MalformedJson"];
            };
        };
        /** @description The request is not valid. | The body is not well-formed JSON. */
        InvalidRequestOrMalformedJson: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequest"] | components["schemas"]["MalformedJson"];
            };
        };
        /** @description The request is not valid. | The body is not well-formed JSON. | The note's state does not allow this. */
        InvalidRequestOrMalformedJsonOrNoteMoveRefused: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequest"] | components["schemas"]["MalformedJson"] | components["schemas"]["NoteMoveRefused"];
            };
        };
        /** @description The request is not valid. | The body is not well-formed JSON. | The task's state does not allow this. */
        InvalidRequestOrMalformedJsonOrTaskMoveRefused: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequest"] | components["schemas"]["MalformedJson"] | components["schemas"]["TaskMoveRefused"];
            };
        };
        /** @description The request is not valid. | The body is not a well-formed multipart form. */
        InvalidRequestOrMalformedMultipart: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequest"] | components["schemas"]["MalformedMultipart"];
            };
        };
        /** @description The caller has not joined the team yet. | The token does not allow this. | The caller lacks a required capability. */
        MembershipPendingOrInsufficientScopeOrCapabilityRequired: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["MembershipPending"] | components["schemas"]["InsufficientScope"] | components["schemas"]["CapabilityRequired"];
            };
        };
        /** @description Not found. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFound"];
            };
        };
        /** @description The resource still has one of the ETags in `If-None-Match`. */
        NotModified: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                /** @description The resource's strong validator. */
                etag: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The body is too large. */
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLarge"];
            };
        };
        /** @description The resource has changed since it was read. */
        PreconditionFailed: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PreconditionFailed"];
            };
        };
        /** @description If-Match is required. */
        PreconditionRequired: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PreconditionRequired"];
            };
        };
        /** @description The prospect is on the list. | The prospect's contact or company was deleted. */
        ProspectNotRemovedOrInvestorDeleted: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProspectNotRemoved"] | components["schemas"]["InvestorDeleted"];
            };
        };
        /** @description The prospect was removed from the list. */
        ProspectRemoved: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProspectRemoved"];
            };
        };
        /** @description The query takes too long. */
        QueryTooExpensive: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["QueryTooExpensive"];
            };
        };
        /** @description The file has no such range. */
        RangeNotSatisfiable: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                /** @description The size of the file in bytes. */
                "content-range": string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RangeNotSatisfiable"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                "retry-after": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimited"];
            };
        };
        /** @description The request did not arrive in time. */
        RequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RequestTimeout"];
            };
        };
        /** @description Changes that far back are no longer kept. */
        ResyncRequired: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ResyncRequired"];
            };
        };
        /** @description The file storage is temporarily unavailable. | The service is temporarily unavailable. */
        StorageUnavailableOrUnavailable: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "retry-after": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["StorageUnavailable"] | components["schemas"]["Unavailable"];
            };
        };
        /** @description A valid access token is required. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "www-authenticate": components["headers"]["Www-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Unauthorized"];
            };
        };
        /** @description The service is temporarily unavailable. */
        Unavailable: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "retry-after": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Unavailable"];
            };
        };
        /** @description The media type of the body is not supported. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                /** @description On PATCH: the media types that the operation accepts. */
                "accept-patch"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaType"];
            };
        };
        /** @description Members of the request exclude each other. */
        ValidationFailed: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailed"];
            };
        };
        /** @description The webhook is not active. */
        WebhookNotActive: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookNotActive"];
            };
        };
        /** @description The webhook is not active. | Another change came first. */
        WebhookNotActiveOrConcurrencyConflict: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookNotActive"] | components["schemas"]["ConcurrencyConflict"];
            };
        };
        /** @description The webhook is not active. | This service sends nothing to webhooks. */
        WebhookNotActiveOrWebhooksOff: {
            headers: {
                "x-request-id": components["headers"]["X-Request-Id"];
                "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                ratelimit: components["headers"]["Ratelimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookNotActive"] | components["schemas"]["WebhooksOff"];
            };
        };
        /** @description The receiver wants no more messages. The service disables the webhook. */
        ReceiverIsGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service retries later. */
        ReceiverLimitsRate: {
            headers: {
                /** @description The least delay before the next attempt, in seconds or as a date; at most 24 hours. */
                "retry-after"?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service retries later. */
        ReceiverIsUnavailable: {
            headers: {
                /** @description The least delay before the next attempt, in seconds or as a date; at most 24 hours. */
                "retry-after"?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The receiver accepts the message. The response must end within 10 seconds, or its first 16 KiB arrive by then. The service keeps it in the delivery log, and reads nothing from it. */
        ReceiverAccepts: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The receiver rejects the message. The service does not retry this delivery. */
        ReceiverRejects: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service retries later. */
        ReceiverFails: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description `Basic` with the client's id and secret, each form-urlencoded (RFC 6749 §2.3.1). Send the credentials either in this header or in the form. */
        Authorization: string;
        /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
        "Idempotency-Key": string;
        /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
        "If-Match": string;
        /** @description Answer 304 if the resource still has one of these ETags. */
        "If-None-Match": string;
        /** @description Return the range only if the content has this ETag; otherwise return the whole content. */
        "If-Range": string;
        /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
        Prefer: string;
        /** @description One range of bytes, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-500`. */
        Range: string;
        /** @description Returns events with greater numbers. Pass the `nextAfter` of the previous page; defaults to the oldest event that is kept. `latest` returns no event, and as `nextAfter` the number after which new ones come. */
        after: number | "latest";
        /** @description List only tasks of this user: an id, or `me`. An unknown id lists none. */
        assignee: string;
        /** @description List only prospects with this flag. */
        capability: "communicated" | "accepted" | "chat" | "invitation";
        /** @description List only questions of this category. */
        category: "legal" | "financial" | "technical" | "environmental" | "tax" | "leases" | "planning" | "other";
        /** @description List only projects on which the investor has this classification. */
        classification: string;
        /** @description List only the links of this company. */
        company_id: string;
        /** @description List only the links of this contact. */
        contact_id: string;
        /** @description List deliveries that were created at this moment or later. An ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`. In a URL, write `+` as `%2B`. */
        created_after: string;
        /** @description List deliveries that were created before this moment. An ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`. In a URL, write `+` as `%2B`. */
        created_before: string;
        /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
        cursor: string;
        /**
         * @description The delivery's id.
         * @example dlv_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        deliveryId: string;
        /** @description Lists only companies with this domain, in any case, with or without `www.`. */
        domain: string;
        /** @description List only open tasks that are due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday. */
        due: "overdue" | "today" | "this_week";
        /** @description Lists only contacts with this e-mail address, in any case. */
        email: string;
        /** @description Deliveries of this type of event. */
        event_type: "contact.created" | "contact.updated" | "contact.deleted" | "company.created" | "company.updated" | "company.deleted" | "link.created" | "link.updated" | "link.deleted" | "property.created" | "property.updated" | "property.deleted" | "project.created" | "project.updated" | "project.deleted" | "project.restored" | "prospect.created" | "prospect.updated" | "prospect.deleted" | "mandate.created" | "mandate.updated" | "mandate.deleted" | "offer.created" | "offer.updated" | "teaser.published" | "teaser.communicated" | "project.closed" | "project.reopened" | "project.communicated" | "prospect.removed" | "prospect.restored" | "prospect.teaser_communicated" | "prospect.im_shared" | "prospect.room_access_granted" | "prospect.bid_recorded" | "prospect.accepted" | "prospect.rejected" | "prospect.classified" | "prospect.interest_changed" | "prospect.stage_overridden" | "prospect.stage_override_withdrawn" | "prospect.project_tags_changed" | "prospect.external_refs_changed" | "prospect.owner_changed" | "prospect.access_expiry_changed" | "prospect.task_added" | "prospect.task_updated" | "prospect.task_completed" | "prospect.task_canceled" | "prospect.task_reopened" | "prospect.message_sent" | "prospect.file_shared" | "prospect.call_logged" | "teaser.updated" | "teaser.unpublished" | "teaser.verified" | "teaser.unverified" | "offer.read" | "offer.accepted" | "offer.rejected" | "offer.expired" | "offer.removed" | "offer.restored" | "offer.closed" | "room.opened" | "room.updated" | "room.winding_down" | "room.reopened" | "room.closed" | "room.access_granted" | "room.access_revoked" | "room.access_expired" | "room.file_uploaded" | "room.question_asked" | "room.question_updated" | "room.answer_drafted" | "room.question_answered" | "room.question_closed" | "note.created" | "note.superseded" | "note.archived" | "note.unarchived" | "file.uploaded" | "file.deleted" | "webhook.failing" | "webhook.disabled";
        /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
        external_ref: string;
        /** @description `all` (the default): all but removed ones. `active`: unanswered, pending or accepted. `ongoing`: accepted. `inactive`: rejected, expired or closed. `removed`. `unread`: never read or answered, and not removed. `unanswered`: of the teasers that wait for an answer, the one that has waited longest. `invitations`: pending ones. `selling`: accepted ones of which the team is the seller. */
        filter: "all" | "active" | "ongoing" | "inactive" | "removed" | "unread" | "unanswered" | "invitations" | "selling";
        /** @description Write even if another contact has the e-mail address. */
        force: boolean;
        /**
         * @description The company's id.
         * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfCompany: string;
        /**
         * @description The contact's id.
         * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfContact: string;
        /**
         * @description The file's id.
         * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfFile: string;
        /**
         * @description The link's id.
         * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfLink: string;
        /**
         * @description The mandate's id.
         * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfMandate: string;
        /**
         * @description The offer's id.
         * @example offer_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfOffer: string;
        /**
         * @description The project's id.
         * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfProject: string;
        /**
         * @description The property's id.
         * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfProperty: string;
        /**
         * @description The prospect's id.
         * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfProspect: string;
        /**
         * @description The team's id.
         * @example team_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfTeam: string;
        /**
         * @description The webhook's id.
         * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        idOfWebhook: string;
        /** @description Include archived notes. */
        include_archived: boolean;
        /** @description Include the tombstones of deleted records, which are kept for 90 days. */
        include_deleted: boolean;
        /** @description Include the rows of its prospects and rooms, which name their record in `subject` and `subjectId`. */
        include_rollups: boolean;
        /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
        include_superseded: boolean;
        /** @description List only prospects with this interest; `none` lists those without any. */
        interest: "interested" | "maybe" | "not_interested" | "none";
        /**
         * @deprecated
         * @description The former name of `page_size`, with the same bounds.
         */
        limit: number;
        /** @description List only matches with at least this score. */
        min_score: number;
        /**
         * @description The note's id: that of its row in the timeline.
         * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        noteId: string;
        /** @description List only open and drafted questions whose `dueUtc` has passed. */
        overdue: boolean;
        /**
         * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
         * @example 50
         */
        page_size: number;
        /** @description List only questions of this priority. */
        priority: "low" | "normal" | "high" | "urgent";
        /**
         * @description The project's id.
         * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        projectId: string;
        /** @description List only prospects of this project. An unknown id lists none. */
        project_id: string;
        /** @description List only prospects with one of these labels on the project, in any case; may be repeated. */
        project_tags: string[];
        /**
         * @description The question's id.
         * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        questionId: string;
        /** @description Only members with this role. */
        role: "admin" | "member";
        /**
         * @description The room's id.
         * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        roomId: string;
        /** @description List only prospects at this stage. */
        stage: "not_contacted" | "teaser" | "im" | "data_room" | "bid";
        /** @description List only projects that are `closed`, or only those that are not; drafts count as `open`. */
        status: "open" | "closed";
        /** @description Lists only those that have all of these tags, compared exactly; may be repeated. */
        tags: string[];
        /**
         * @description The id of the task, or that of its `prospect.task_added` row in the timeline.
         * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
         */
        taskId: string;
        /** @description Only those with an open task that is due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday. */
        task_due: "overdue" | "today" | "this_week";
        /** @description The rows to list: `notes`, `chat`, `audit`, or `all` (the default). */
        type: "all" | "notes" | "chat" | "audit";
        /** @description Returns events of these types: names, all of one type of resource (`prospect.*`), or everything (`*`). Repeat the parameter, or separate types with commas. Defaults to the events of contacts, companies, links, properties, projects and prospects that are `created`, `updated`, `deleted` or `restored`; the numbers of other events are skipped then. */
        types: ("contact.created" | "contact.updated" | "contact.deleted" | "company.created" | "company.updated" | "company.deleted" | "link.created" | "link.updated" | "link.deleted" | "property.created" | "property.updated" | "property.deleted" | "project.created" | "project.updated" | "project.deleted" | "project.restored" | "prospect.created" | "prospect.updated" | "prospect.deleted" | "mandate.created" | "mandate.updated" | "mandate.deleted" | "offer.created" | "offer.updated" | "teaser.published" | "teaser.communicated" | "project.closed" | "project.reopened" | "project.communicated" | "prospect.removed" | "prospect.restored" | "prospect.teaser_communicated" | "prospect.im_shared" | "prospect.room_access_granted" | "prospect.bid_recorded" | "prospect.accepted" | "prospect.rejected" | "prospect.classified" | "prospect.interest_changed" | "prospect.stage_overridden" | "prospect.stage_override_withdrawn" | "prospect.project_tags_changed" | "prospect.external_refs_changed" | "prospect.owner_changed" | "prospect.access_expiry_changed" | "prospect.task_added" | "prospect.task_updated" | "prospect.task_completed" | "prospect.task_canceled" | "prospect.task_reopened" | "prospect.message_sent" | "prospect.file_shared" | "prospect.call_logged" | "teaser.updated" | "teaser.unpublished" | "teaser.verified" | "teaser.unverified" | "offer.read" | "offer.accepted" | "offer.rejected" | "offer.expired" | "offer.removed" | "offer.restored" | "offer.closed" | "room.opened" | "room.updated" | "room.winding_down" | "room.reopened" | "room.closed" | "room.access_granted" | "room.access_revoked" | "room.access_expired" | "room.file_uploaded" | "room.question_asked" | "room.question_updated" | "room.answer_drafted" | "room.question_answered" | "room.question_closed" | "note.created" | "note.superseded" | "note.archived" | "note.unarchived" | "file.uploaded" | "file.deleted" | "webhook.failing" | "webhook.disabled" | "*" | "contact.*" | "company.*" | "link.*" | "property.*" | "project.*" | "prospect.*" | "mandate.*" | "teaser.*" | "offer.*" | "room.*" | "note.*" | "file.*" | "webhook.*")[];
        /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
        updated_since: string;
        /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
        "webhook-id": string;
        /** @description The time of this attempt, in Unix seconds. */
        "webhook-timestamp": string;
        /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
        "webhook-signature": string;
        /** @description The type of the event. */
        "X-Service-Event": string;
        /** @description `true` on test deliveries, and absent on others. */
        "X-Service-Test": string;
    };
    requestBodies: never;
    headers: {
        "Accept-Ranges": string;
        "Content-Disposition": string;
        "Content-Range": string;
        Deprecation: string;
        Etag: string;
        Link: string;
        Location: string;
        /** @description The rest of the budget: `r` requests for the next `t` seconds. */
        Ratelimit: string;
        /** @description The caller's budget: `q` requests in each window of `w` seconds. */
        "Ratelimit-Policy": string;
        /** @description The seconds to wait before a retry. */
        "Retry-After": string;
        /** @description How to authenticate. */
        "Www-Authenticate": string;
        "X-Content-Type-Options": string;
        /** @description The request's id: the one that the client sent, if it is well-formed, or else a new one. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "me.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller: a person, or a bot that a client acts for. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "teams.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The team's id.
                 * @example team_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfTeam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A team, the tenant that all resources belong to. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "teams.listMembers": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Only members with this role. */
                role?: components["parameters"]["role"];
            };
            header?: never;
            path: {
                /**
                 * @description The team's id.
                 * @example team_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfTeam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMemberPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MembershipPendingOrInsufficientScopeOrCapabilityRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
                /** @description Lists only contacts with this e-mail address, in any case. */
                email?: components["parameters"]["email"];
                /** @description Lists only those that have all of these tags, compared exactly; may be repeated. */
                tags?: components["parameters"]["tags"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.create": {
        parameters: {
            query?: {
                /** @description Write even if another contact has the e-mail address. */
                force?: components["parameters"]["force"];
            };
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactCreate"];
            };
        };
        responses: {
            /** @description A person in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrDuplicateOrExternalReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A person in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.update": {
        parameters: {
            query?: {
                /** @description Write even if another contact has the e-mail address. */
                force?: components["parameters"]["force"];
            };
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ContactPatch"];
                "application/json": components["schemas"]["ContactPatch"];
            };
        };
        responses: {
            /** @description A person in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMergedOrDuplicateOrExternalReferenceTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.batchGet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBatchGet"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactGetReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.batchUpsert": {
        parameters: {
            query?: {
                /** @description Write even if another contact has the e-mail address. */
                force?: components["parameters"]["force"];
            };
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBatchUpsert"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactUpsertReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.batchDelete": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBatchDelete"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactDeleteReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactSearch"];
            };
        };
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactSearchPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursorOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.listActions": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description The rows to list: `notes`, `chat`, `audit`, or `all` (the default). */
                type?: components["parameters"]["type"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
                /** @description Lists only companies with this domain, in any case, with or without `www.`. */
                domain?: components["parameters"]["domain"];
                /** @description Lists only those that have all of these tags, compared exactly; may be repeated. */
                tags?: components["parameters"]["tags"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.create": {
        parameters: {
            query?: {
                /** @description Write even if another company has the domain, or the name and country. */
                force?: boolean;
            };
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyCreate"];
            };
        };
        responses: {
            /** @description A company in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrDuplicateOrExternalReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A company in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.update": {
        parameters: {
            query?: {
                /** @description Write even if another company has the domain, or the name and country. */
                force?: boolean;
            };
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["CompanyPatch"];
                "application/json": components["schemas"]["CompanyPatch"];
            };
        };
        responses: {
            /** @description A company in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMergedOrDuplicateOrExternalReferenceTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.batchGet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyBatchGet"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyGetReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.batchUpsert": {
        parameters: {
            query?: {
                /** @description Write even if another company has the domain, or the name and country. */
                force?: boolean;
            };
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyBatchUpsert"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyUpsertReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.batchDelete": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyBatchDelete"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyDeleteReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanySearch"];
            };
        };
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanySearchPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursorOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.listActions": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description The rows to list: `notes`, `chat`, `audit`, or `all` (the default). */
                type?: components["parameters"]["type"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description List only the links of this contact. */
                contact_id?: components["parameters"]["contact_id"];
                /** @description List only the links of this company. */
                company_id?: components["parameters"]["company_id"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkCreate"];
            };
        };
        responses: {
            /** @description A link between a contact and a company where it works. A tombstone only has its audit members, the two ids and its external references. A pair that is linked again gets the same link back. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrDuplicateOrExternalReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The link's id.
                 * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfLink"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A link between a contact and a company where it works. A tombstone only has its audit members, the two ids and its external references. A pair that is linked again gets the same link back. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The link's id.
                 * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfLink"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The link's id.
                 * @example link_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfLink"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["LinkPatch"];
                "application/json": components["schemas"]["LinkPatch"];
            };
        };
        responses: {
            /** @description A link between a contact and a company where it works. A tombstone only has its audit members, the two ids and its external references. A pair that is linked again gets the same link back. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMergedOrDuplicateOrExternalReferenceTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.batchGet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBatchGet"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkGetReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.batchUpsert": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBatchUpsert"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkUpsertReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "links.batchDelete": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBatchDelete"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkDeleteReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.findDuplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DuplicateQuestion"];
            };
        };
        responses: {
            /** @description Possible duplicates of the company. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateCompanies"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.merge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactMerge"];
            };
        };
        responses: {
            /** @description A person in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.merge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyMerge"];
            };
        };
        responses: {
            /** @description A company in the broker's network. A tombstone only has its audit members, `mergedInto` and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.listProjects": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description List only projects that are `closed`, or only those that are not; drafts count as `open`. */
                status?: components["parameters"]["status"];
                /** @description List only projects on which the investor has this classification. */
                classification?: components["parameters"]["classification"];
            };
            header?: never;
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    deprecation: components["headers"]["Deprecation"];
                    link: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssociatedProjectPage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.listProjects": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description List only projects that are `closed`, or only those that are not; drafts count as `open`. */
                status?: components["parameters"]["status"];
                /** @description List only projects on which the investor has this classification. */
                classification?: components["parameters"]["classification"];
            };
            header?: never;
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    deprecation: components["headers"]["Deprecation"];
                    link: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssociatedProjectPage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.listNotes": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotePage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.addNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteCreate"];
            };
        };
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrMerged"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.getNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.updateNote": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the note, from its timeline row or its GET. Required: a missing or blank header is 428, an outdated ETag 412, and one that another change outdates while the request runs 409 `concurrency_conflict`. `*` matches any state.
                 * @example "v1"
                 */
                "If-Match": string;
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The contact's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfContact"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteRevision"];
            };
        };
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    etag: string;
                    location?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrNoteMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrQuotaExceededOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.listNotes": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotePage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.addNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteCreate"];
            };
        };
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrMerged"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.getNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.updateNote": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the note, from its timeline row or its GET. Required: a missing or blank header is 428, an outdated ETag 412, and one that another change outdates while the request runs 409 `concurrency_conflict`. `*` matches any state.
                 * @example "v1"
                 */
                "If-Match": string;
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The company's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfCompany"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteRevision"];
            };
        };
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    etag: string;
                    location?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrNoteMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrQuotaExceededOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.listFiles": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
            };
            header?: never;
            path: {
                /**
                 * @description The record's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilePage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.uploadFile": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The record's id.
                 * @example contact_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
            };
        };
        responses: {
            /** @description A file on a contact, a company or a property. Its content never changes. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedMultipart"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrMerged"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailableOrUnavailable"];
        };
    };
    "companies.listFiles": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
            };
            header?: never;
            path: {
                /**
                 * @description The record's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilePage"];
                };
            };
            /** @description The record was merged into another one: read that one. */
            301: {
                headers: {
                    location: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "companies.uploadFile": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The record's id.
                 * @example company_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
            };
        };
        responses: {
            /** @description A file on a contact, a company or a property. Its content never changes. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedMultipart"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrMerged"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailableOrUnavailable"];
        };
    };
    "properties.listFiles": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
            };
            header?: never;
            path: {
                /**
                 * @description The record's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilePage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.uploadFile": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The record's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
            };
        };
        responses: {
            /** @description A file on a contact, a company or a property. Its content never changes. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedMultipart"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailableOrUnavailable"];
        };
    };
    "files.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The file's id.
                 * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfFile"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file on a contact, a company or a property. Its content never changes. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "files.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The file's id.
                 * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfFile"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "files.download": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /** @description One range of bytes, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-500`. */
                Range?: components["parameters"]["Range"];
                /** @description Return the range only if the content has this ETag; otherwise return the whole content. */
                "If-Range"?: components["parameters"]["If-Range"];
            };
            path: {
                /**
                 * @description The file's id.
                 * @example file_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfFile"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file, with the `Content-Type` of its upload. */
            200: {
                headers: {
                    etag: string;
                    "accept-ranges": components["headers"]["Accept-Ranges"];
                    "content-disposition": components["headers"]["Content-Disposition"];
                    "x-content-type-options": components["headers"]["X-Content-Type-Options"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes of the file, with the `Content-Type` of its upload. */
            206: {
                headers: {
                    etag: string;
                    "accept-ranges": components["headers"]["Accept-Ranges"];
                    "content-disposition": components["headers"]["Content-Disposition"];
                    "x-content-type-options": components["headers"]["X-Content-Type-Options"];
                    "content-range": components["headers"]["Content-Range"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["StorageUnavailableOrUnavailable"];
        };
    };
    "properties.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
                /** @description Lists only properties that have one of these tags; may be repeated. */
                tags?: ("single_tenant" | "multi_tenant" | "fully_let" | "partly_vacant" | "vacant_possession" | "long_lease" | "short_lease" | "indexed_rent" | "public_tenant" | "sale_and_leaseback" | "under_rented" | "over_rented" | "value_add" | "development_potential" | "forward_purchase" | "forward_funding" | "newly_built" | "refurbished" | "heritage_listed" | "contaminated_land" | "distressed_sale" | "portfolio" | "prime_location" | "city_centre" | "out_of_town" | "waterfront" | "rail_access" | "motorway_access" | "airport_nearby" | "esg_certified" | "fossil_heating")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyCreate"];
            };
        };
        responses: {
            /** @description A property. An object without any value is null. A tombstone only has its audit members and external references. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Property"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrExternalReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A property. An object without any value is null. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Property"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.delete": {
        parameters: {
            query?: {
                /** @description Delete it even if it is on a project that is not closed, and unlink it from there. */
                force?: boolean;
            };
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMergedOrPropertyOnProject"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PropertyPatch"];
                "application/json": components["schemas"]["PropertyPatch"];
            };
        };
        responses: {
            /** @description A property. An object without any value is null. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Property"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMergedOrExternalReferenceTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.batchGet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyBatchGet"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyGetReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.batchUpsert": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyBatchUpsert"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyUpsertReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.batchDelete": {
        parameters: {
            query?: {
                /** @description Delete it even if it is on a project that is not closed, and unlink it from there. */
                force?: boolean;
            };
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyBatchDelete"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyDeleteReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertySearch"];
            };
        };
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertySearchPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursorOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.listActions": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description The rows to list: `notes`, `chat`, `audit`, or `all` (the default). */
                type?: components["parameters"]["type"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link: string;
                    deprecation: components["headers"]["Deprecation"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectCreate"];
            };
        };
        responses: {
            /** @description A real-estate transaction. A tombstone only has its audit members and external references. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["Link"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrExternalReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReusedOrValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A real-estate transaction. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["Link"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrProjectShared"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ProjectPatch"];
                "application/json": components["schemas"]["ProjectPatch"];
            };
        };
        responses: {
            /** @description A real-estate transaction. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["Link"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrExternalReferenceTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A real-estate transaction. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["Link"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrProjectNotDeletedOrExternalReferenceTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.close": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A real-estate transaction. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["Link"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.reopen": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A real-estate transaction. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["Link"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.listProperties": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyPage_1"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.listActions": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description The rows to list: `notes`, `chat`, `audit`, or `all` (the default). */
                type?: components["parameters"]["type"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
                /** @description Include the rows of its prospects and rooms, which name their record in `subject` and `subjectId`. */
                include_rollups?: components["parameters"]["include_rollups"];
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.listAll": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
                /** @description List only prospects with this flag. */
                capability?: components["parameters"]["capability"];
                /** @description List only prospects with this classification. */
                classification?: string;
                /** @description List only prospects whose contact or company has one of these labels; may be repeated. */
                tags?: string[];
                /** @description List only prospects with one of these labels on the project, in any case; may be repeated. */
                project_tags?: components["parameters"]["project_tags"];
                /** @description List only prospects with this interest; `none` lists those without any. */
                interest?: components["parameters"]["interest"];
                /** @description List only prospects at this stage. */
                stage?: components["parameters"]["stage"];
                /** @description Only those with an open task that is due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday. */
                task_due?: components["parameters"]["task_due"];
                /** @description List only prospects of this project. An unknown id lists none. */
                project_id?: components["parameters"]["project_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProspectPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.getById": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An investor on a project. The tombstone of a prospect that was deleted or removed from the list only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prospect"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
                /** @description List only prospects with this flag. */
                capability?: components["parameters"]["capability"];
                /** @description List only prospects with this classification. */
                classification?: string;
                /** @description List only prospects whose contact or company has one of these labels; may be repeated. */
                tags?: string[];
                /** @description List only prospects with one of these labels on the project, in any case; may be repeated. */
                project_tags?: components["parameters"]["project_tags"];
                /** @description List only prospects with this interest; `none` lists those without any. */
                interest?: components["parameters"]["interest"];
                /** @description List only prospects at this stage. */
                stage?: components["parameters"]["stage"];
                /** @description Only those with an open task that is due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday. */
                task_due?: components["parameters"]["task_due"];
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProspectPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProspectAdd"];
            };
        };
        responses: {
            /** @description An investor on a project. The tombstone of a prospect that was deleted or removed from the list only has its audit members and external references. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prospect"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrProspectExistsOrExternalReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.batchCreate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProspectBatchAdd"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProspectAddReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.batchUpsert": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProspectBatchUpsert"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProspectUpsertReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.classify": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProspectClassify"];
            };
        };
        responses: {
            /** @description The outcome for each prospect. */
            200: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProspectsClassified"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An investor on a project. The tombstone of a prospect that was deleted or removed from the list only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prospect"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ProspectPatch"];
                "application/json": components["schemas"]["ProspectPatch"];
            };
        };
        responses: {
            /** @description An investor on a project. The tombstone of a prospect that was deleted or removed from the list only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prospect"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrExternalReferenceTakenOrProspectRemoved"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.remove": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An investor on a project. The tombstone of a prospect that was deleted or removed from the list only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prospect"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ProspectNotRemovedOrInvestorDeleted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.deleteStageOverride": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrProspectRemoved"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.listActions": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description The rows to list: `notes`, `chat`, `audit`, `tasks`, or `all` (the default). */
                type?: "all" | "notes" | "chat" | "audit" | "tasks";
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
                /** @description Include the rows of its contact or company, and of the room, which name their record in `subject` and `subjectId`. */
                include_rollups?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.listAll": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description List only tasks of this user: an id, or `me`. An unknown id lists none. */
                assignee?: components["parameters"]["assignee"];
                /** @description List only open tasks that are due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday. */
                due?: components["parameters"]["due"];
                /** @description List only tasks in this state. */
                status?: "open" | "completed" | "canceled";
                /** @description List only tasks on this project. An unknown id lists none. */
                project_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedTaskPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description List only tasks in this state. */
                status?: "open" | "completed" | "canceled";
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskCreate"];
            };
        };
        responses: {
            /** @description A follow-up task of a prospect. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrProspectRemoved"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
                /**
                 * @description The id of the task, or that of its `prospect.task_added` row in the timeline.
                 * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A follow-up task of a prospect. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
                /**
                 * @description The id of the task, or that of its `prospect.task_added` row in the timeline.
                 * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["TaskPatch"];
                "application/json": components["schemas"]["TaskPatch"];
            };
        };
        responses: {
            /** @description A follow-up task of a prospect. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrTaskMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrProspectRemoved"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.complete": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
                /**
                 * @description The id of the task, or that of its `prospect.task_added` row in the timeline.
                 * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrTaskMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ProspectRemoved"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
                /**
                 * @description The id of the task, or that of its `prospect.task_added` row in the timeline.
                 * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrTaskMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ProspectRemoved"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tasks.reopen": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
                /**
                 * @description The id of the task, or that of its `prospect.task_added` row in the timeline.
                 * @example task_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrTaskMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ProspectRemoved"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "questions.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description List only questions in this state. */
                status?: "open" | "drafted" | "answered" | "closed";
                /** @description List only questions of this category. */
                category?: components["parameters"]["category"];
                /** @description List only questions of this priority. */
                priority?: components["parameters"]["priority"];
                /** @description List only questions assigned to this user: an id, `me`, or `none` for those without. An unknown id lists none. */
                assignee?: string;
                /** @description List only open and drafted questions whose `dueUtc` has passed. */
                overdue?: components["parameters"]["overdue"];
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The room's id.
                 * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                roomId: components["parameters"]["roomId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "questions.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The room's id.
                 * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                roomId: components["parameters"]["roomId"];
                /**
                 * @description The question's id.
                 * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                questionId: components["parameters"]["questionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A question in a data room. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "questions.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The room's id.
                 * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                roomId: components["parameters"]["roomId"];
                /**
                 * @description The question's id.
                 * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                questionId: components["parameters"]["questionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["QuestionPatch"];
                "application/json": components["schemas"]["QuestionPatch"];
            };
        };
        responses: {
            /** @description A question in a data room. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrQuestionMoveRefusedOrRoomRefused"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "questions.draftAnswer": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The room's id.
                 * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                roomId: components["parameters"]["roomId"];
                /**
                 * @description The question's id.
                 * @example question_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                questionId: components["parameters"]["questionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftAnswerInput"];
            };
        };
        responses: {
            /** @description A question in a data room. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrQuestionMoveRefusedOrRoomRefused"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.listNotes": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotePage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.addNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteCreate"];
            };
        };
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.getNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.updateNote": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the note, from its timeline row or its GET. Required: a missing or blank header is 428, an outdated ETag 412, and one that another change outdates while the request runs 409 `concurrency_conflict`. `*` matches any state.
                 * @example "v1"
                 */
                "If-Match": string;
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteRevision"];
            };
        };
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    etag: string;
                    location?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrNoteMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrQuotaExceeded"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.listNotes": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotePage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.addNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteCreate"];
            };
        };
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.getNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.updateNote": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the note, from its timeline row or its GET. Required: a missing or blank header is 428, an outdated ETag 412, and one that another change outdates while the request runs 409 `concurrency_conflict`. `*` matches any state.
                 * @example "v1"
                 */
                "If-Match": string;
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteRevision"];
            };
        };
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    etag: string;
                    location?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrNoteMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrQuotaExceeded"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.listNotes": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotePage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.addNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteCreate"];
            };
        };
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrProspectRemoved"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.getNote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A note: a row of the timelines of its subjects. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "prospects.updateNote": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the note, from its timeline row or its GET. Required: a missing or blank header is 428, an outdated ETag 412, and one that another change outdates while the request runs 409 `concurrency_conflict`. `*` matches any state.
                 * @example "v1"
                 */
                "If-Match": string;
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The prospect's id.
                 * @example prospect_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProspect"];
                /**
                 * @description The note's id: that of its row in the timeline.
                 * @example act_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                noteId: components["parameters"]["noteId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteRevision"];
            };
        };
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    etag: string;
                    location?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJsonOrNoteMoveRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrQuotaExceededOrProspectRemoved"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rooms.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
            };
            header?: never;
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoomPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rooms.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The room's id.
                 * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                roomId: components["parameters"]["roomId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A data room of a project, with what is in it. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoomDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.getTeaser": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Teaser"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.updateTeaser": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProject"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["TeaserPatch"];
                "application/json": components["schemas"]["TeaserPatch"];
            };
        };
        responses: {
            /** @description A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Teaser"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrProjectClosed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.getTeaser": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Teaser"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.updateTeaser": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["TeaserPatch"];
                "application/json": components["schemas"]["TeaserPatch"];
            };
        };
        responses: {
            /** @description A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Teaser"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "offers.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description `all` (the default): all but removed ones. `active`: unanswered, pending or accepted. `ongoing`: accepted. `inactive`: rejected, expired or closed. `removed`. `unread`: never read or answered, and not removed. `unanswered`: of the teasers that wait for an answer, the one that has waited longest. `invitations`: pending ones. `selling`: accepted ones of which the team is the seller. */
                filter?: components["parameters"]["filter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "offers.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The offer's id.
                 * @example offer_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfOffer"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A teaser that the team received from a broker, or an invitation to a data room. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "offers.listActions": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description The rows to list: `notes`, `chat`, `audit`, or `all` (the default). */
                type?: components["parameters"]["type"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
                /** @description Include the rows of its prospects and rooms, which name their record in `subject` and `subjectId`. */
                include_rollups?: components["parameters"]["include_rollups"];
            };
            header?: never;
            path: {
                /**
                 * @description The offer's id.
                 * @example offer_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfOffer"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rooms.getTeaser": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The room's id.
                 * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                roomId: components["parameters"]["roomId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Teaser"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rooms.updateTeaser": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The project's id.
                 * @example project_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                projectId: components["parameters"]["projectId"];
                /**
                 * @description The room's id.
                 * @example room_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                roomId: components["parameters"]["roomId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["TeaserPatch"];
                "application/json": components["schemas"]["TeaserPatch"];
            };
        };
        responses: {
            /** @description A teaser. Its audit members are null until it is written. Its ETag changes with everything that it shows, also when a property or the plan changes. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Teaser"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrProjectClosed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description Delta sync: lists what changed since then, ordered by `updatedUtc`. With other filters, it lists the changes that match them now; it does not tell which records ceased to match (only their deletions, with `include_deleted=true`). Pass the `nextSince` of the last page that you read: you will not miss a change, and get nothing again that those pages had. Or pass an ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`, for what changed at or after that moment. In a URL, write `+` as `%2B`. */
                updated_since?: components["parameters"]["updated_since"];
                /** @description Include the tombstones of deleted records, which are kept for 90 days. */
                include_deleted?: components["parameters"]["include_deleted"];
                /** @description Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`. */
                external_ref?: components["parameters"]["external_ref"];
                /** @description List only mandates with this status. */
                status?: "active" | "paused" | "closed";
                /** @description List only the mandates that are kept for this contact. */
                contact_id?: string;
                /** @description List only the mandates that are kept for this company. */
                company_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MandatePage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateCreate"];
            };
        };
        responses: {
            /** @description The mandate after a write. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenMandate"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrExternalReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The mandate's id.
                 * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfMandate"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an investor looks for. A tombstone only has its audit members and external references. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mandate"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The mandate's id.
                 * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfMandate"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMerged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The mandate's id.
                 * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfMandate"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["MandatePatch"];
                "application/json": components["schemas"]["MandatePatch"];
            };
        };
        responses: {
            /** @description The mandate after a write. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenMandate"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflictOrMergedOrExternalReferenceTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.batchGet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateBatchGet"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MandateGetReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.batchUpsert": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateBatchUpsert"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MandateUpsertReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceeded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.batchDelete": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateBatchDelete"];
            };
        };
        responses: {
            /** @description One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MandateDeleteReceipts"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateSearch"];
            };
        };
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MandateSearchPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursorOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.listActions": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description The rows to list: `notes`, `chat`, `audit`, or `all` (the default). */
                type?: components["parameters"]["type"];
                /** @description Include archived notes. */
                include_archived?: components["parameters"]["include_archived"];
                /** @description Include notes that a later revision replaced. An archived one needs both parameters. */
                include_superseded?: components["parameters"]["include_superseded"];
            };
            header?: never;
            path: {
                /**
                 * @description The mandate's id.
                 * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfMandate"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "properties.listMatches": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description List only matches with at least this score. */
                min_score?: components["parameters"]["min_score"];
            };
            header?: never;
            path: {
                /**
                 * @description The property's id.
                 * @example property_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfProperty"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matches, best first. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MandateMatchPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "mandates.listMatches": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
                /** @description List only matches with at least this score. */
                min_score?: components["parameters"]["min_score"];
            };
            header?: never;
            path: {
                /**
                 * @description The mandate's id.
                 * @example mandate_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfMandate"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matches, best first. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyMatchPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.list": {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description A webhook with its new secret, which is not shown again. */
            201: {
                headers: {
                    etag: components["headers"]["Etag"];
                    location: components["headers"]["Location"];
                    "idempotency-replayed"?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            409: components["responses"]["IdempotencyInProgressOrQuotaExceededOrWebhookLimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Answer 304 if the resource still has one of these ETags. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription of a receiver to events, which are posted to its URL and signed. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["WebhookPatch"];
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The subscription of a receiver to events, which are posted to its URL and signed. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry. */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookRotation"];
            };
        };
        responses: {
            /** @description A webhook with its new secret, which is not shown again. */
            200: {
                headers: {
                    etag: components["headers"]["Etag"];
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConcurrencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookTest"];
            };
        };
        responses: {
            /** @description The result of a test delivery. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookNotActiveOrWebhooksOff"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.listDeliveries": {
        parameters: {
            query?: {
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 20
                 */
                page_size?: number;
                /**
                 * @deprecated
                 * @description The former name of `page_size`, with the same bounds.
                 */
                limit?: components["parameters"]["limit"];
                /** @description The `nextCursor` of the previous page, with the same filters. Opaque. */
                cursor?: components["parameters"]["cursor"];
                /** @description Deliveries in this state. */
                status?: "pending" | "delivered" | "failed" | "exhausted";
                /** @description Deliveries of this type of event. */
                event_type?: components["parameters"]["event_type"];
                /** @description List deliveries that were created at this moment or later. An ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`. In a URL, write `+` as `%2B`. */
                created_after?: components["parameters"]["created_after"];
                /** @description List deliveries that were created before this moment. An ISO 8601 date, or a date and time with an offset, such as `2026-11-21T09:30:00.000Z`. In a URL, write `+` as `%2B`. */
                created_before?: components["parameters"]["created_before"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a list. */
            200: {
                headers: {
                    link?: string;
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidCursor"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.getDelivery": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
                /**
                 * @description The delivery's id.
                 * @example dlv_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery with its request and its attempts. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.retryDelivery": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
                /**
                 * @description The delivery's id.
                 * @example dlv_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One event for one webhook, with the result of its attempts. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookNotActiveOrConcurrencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.replayDeliveries": {
        parameters: {
            query?: never;
            header?: {
                /** @description `dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example webhook_01kb3n7x2ferwt5z8q4j6m9d0c
                 */
                id: components["parameters"]["idOfWebhook"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description The result of a replay. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayed"];
                };
            };
            400: components["responses"]["InvalidRequestOrMalformedJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookNotActive"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "changes.list": {
        parameters: {
            query?: {
                /** @description Returns events with greater numbers. Pass the `nextAfter` of the previous page; defaults to the oldest event that is kept. `latest` returns no event, and as `nextAfter` the number after which new ones come. */
                after?: components["parameters"]["after"];
                /** @description Returns events of these types: names, all of one type of resource (`prospect.*`), or everything (`*`). Repeat the parameter, or separate types with commas. Defaults to the events of contacts, companies, links, properties, projects and prospects that are `created`, `updated`, `deleted` or `restored`; the numbers of other events are skipped then. */
                types?: components["parameters"]["types"];
                /**
                 * @description Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.
                 * @example 50
                 */
                page_size?: components["parameters"]["page_size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the journal. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    "ratelimit-policy": components["headers"]["Ratelimit-Policy"];
                    ratelimit: components["headers"]["Ratelimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrCapabilityRequiredOrMembershipPending"];
            410: components["responses"]["ResyncRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "oauth.issueToken": {
        parameters: {
            query?: never;
            header?: {
                /** @description `Basic` with the client's id and secret, each form-urlencoded (RFC 6749 §2.3.1). Send the credentials either in this header or in the form. */
                Authorization?: components["parameters"]["Authorization"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description A new access token. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedToken"];
                };
            };
            /** @description An error as RFC 6749 defines it. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description `invalid_client`: the credentials are missing or wrong. The response has `WWW-Authenticate: Basic` if the request used Basic. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    /** @description How to authenticate. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientError"];
                };
            };
            /** @description The service failed unexpectedly. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InternalError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    "oauth.revokeToken": {
        parameters: {
            query?: never;
            header?: {
                /** @description `Basic` with the client's id and secret, each form-urlencoded (RFC 6749 §2.3.1). Send the credentials either in this header or in the form. */
                Authorization?: components["parameters"]["Authorization"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenQuestion"];
            };
        };
        responses: {
            /** @description <No Content> */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error as RFC 6749 defines it. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description `invalid_client`: the credentials are missing or wrong. The response has `WWW-Authenticate: Basic` if the request used Basic. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    /** @description How to authenticate. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientError"];
                };
            };
            /** @description The service failed unexpectedly. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InternalError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    "oauth.introspectToken": {
        parameters: {
            query?: never;
            header?: {
                /** @description `Basic` with the client's id and secret, each form-urlencoded (RFC 6749 §2.3.1). Send the credentials either in this header or in the form. */
                Authorization?: components["parameters"]["Authorization"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenQuestion"];
            };
        };
        responses: {
            /** @description The state of a token. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Introspection"];
                };
            };
            /** @description An error as RFC 6749 defines it. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description `invalid_client`: the credentials are missing or wrong. The response has `WWW-Authenticate: Basic` if the request used Basic. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    /** @description How to authenticate. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthClientError"];
                };
            };
            /** @description The service failed unexpectedly. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InternalError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    "oauth.getServerMetadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RFC 8414 metadata. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            /** @description The request is not valid. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidRequest"];
                };
            };
        };
    };
    "oauth.getResourceMetadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RFC 9728 metadata. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description The request is not valid. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidRequest"];
                };
            };
        };
    };
    "oauth.getMcpResourceMetadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RFC 9728 metadata. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description The request is not valid. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidRequest"];
                };
            };
        };
    };
    "events.contactCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.contactUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.contactDeleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactDeletedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.companyCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.companyUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.companyDeleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyDeletedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.linkCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.linkUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.linkDeleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkDeletedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.propertyCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.propertyUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.propertyDeleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyDeletedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.projectCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.projectUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.projectDeleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectDeletedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.projectRestored": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectRestoredEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.prospectCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProspectCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.prospectUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProspectUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.prospectDeleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProspectDeletedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.mandateCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.mandateUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.mandateDeleted": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MandateDeletedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.offerCreated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferCreatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.offerUpdated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferUpdatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.teaserPublished": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeaserPublishedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.teaserCommunicated": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeaserCommunicatedEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
    "events.further": {
        parameters: {
            query?: never;
            header: {
                /** @description The message's id, the same on every attempt: ignore a message that you have processed. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of this attempt, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more signatures, separated by spaces: one for each secret while a replaced secret still signs. */
                "webhook-signature": components["parameters"]["webhook-signature"];
                /** @description The type of the event. */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description `true` on test deliveries, and absent on others. */
                "X-Service-Test"?: components["parameters"]["X-Service-Test"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectClosedEvent"] | components["schemas"]["ProjectReopenedEvent"] | components["schemas"]["ProjectCommunicatedEvent"] | components["schemas"]["ProspectRemovedEvent"] | components["schemas"]["ProspectRestoredEvent"] | components["schemas"]["ProspectTeaserCommunicatedEvent"] | components["schemas"]["ProspectImSharedEvent"] | components["schemas"]["ProspectRoomAccessGrantedEvent"] | components["schemas"]["ProspectBidRecordedEvent"] | components["schemas"]["ProspectAcceptedEvent"] | components["schemas"]["ProspectRejectedEvent"] | components["schemas"]["ProspectClassifiedEvent"] | components["schemas"]["ProspectInterestChangedEvent"] | components["schemas"]["ProspectStageOverriddenEvent"] | components["schemas"]["ProspectStageOverrideWithdrawnEvent"] | components["schemas"]["ProspectProjectTagsChangedEvent"] | components["schemas"]["ProspectExternalRefsChangedEvent"] | components["schemas"]["ProspectOwnerChangedEvent"] | components["schemas"]["ProspectAccessExpiryChangedEvent"] | components["schemas"]["ProspectTaskAddedEvent"] | components["schemas"]["ProspectTaskUpdatedEvent"] | components["schemas"]["ProspectTaskCompletedEvent"] | components["schemas"]["ProspectTaskCanceledEvent"] | components["schemas"]["ProspectTaskReopenedEvent"] | components["schemas"]["ProspectMessageSentEvent"] | components["schemas"]["ProspectFileSharedEvent"] | components["schemas"]["ProspectCallLoggedEvent"] | components["schemas"]["TeaserUpdatedEvent"] | components["schemas"]["TeaserUnpublishedEvent"] | components["schemas"]["TeaserVerifiedEvent"] | components["schemas"]["TeaserUnverifiedEvent"] | components["schemas"]["OfferReadEvent"] | components["schemas"]["OfferAcceptedEvent"] | components["schemas"]["OfferRejectedEvent"] | components["schemas"]["OfferExpiredEvent"] | components["schemas"]["OfferRemovedEvent"] | components["schemas"]["OfferRestoredEvent"] | components["schemas"]["OfferClosedEvent"] | components["schemas"]["RoomOpenedEvent"] | components["schemas"]["RoomUpdatedEvent"] | components["schemas"]["RoomWindingDownEvent"] | components["schemas"]["RoomReopenedEvent"] | components["schemas"]["RoomClosedEvent"] | components["schemas"]["RoomAccessGrantedEvent"] | components["schemas"]["RoomAccessRevokedEvent"] | components["schemas"]["RoomAccessExpiredEvent"] | components["schemas"]["RoomFileUploadedEvent"] | components["schemas"]["RoomQuestionAskedEvent"] | components["schemas"]["RoomQuestionUpdatedEvent"] | components["schemas"]["RoomAnswerDraftedEvent"] | components["schemas"]["RoomQuestionAnsweredEvent"] | components["schemas"]["RoomQuestionClosedEvent"] | components["schemas"]["NoteCreatedEvent"] | components["schemas"]["NoteSupersededEvent"] | components["schemas"]["NoteArchivedEvent"] | components["schemas"]["NoteUnarchivedEvent"] | components["schemas"]["FileUploadedEvent"] | components["schemas"]["FileDeletedEvent"] | components["schemas"]["WebhookFailingEvent"] | components["schemas"]["WebhookDisabledEvent"];
            };
        };
        responses: {
            410: components["responses"]["ReceiverIsGone"];
            429: components["responses"]["ReceiverLimitsRate"];
            503: components["responses"]["ReceiverIsUnavailable"];
            "2XX": components["responses"]["ReceiverAccepts"];
            "4XX": components["responses"]["ReceiverRejects"];
            "5XX": components["responses"]["ReceiverFails"];
        };
    };
}
