# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""What the parts of a running engine share: context, worker threads, failure and retry policy, holds, lock, paths."""
