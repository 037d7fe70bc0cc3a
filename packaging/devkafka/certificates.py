# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""A throw-away certificate authority for one cluster; its key never touches the disk."""

import datetime as dt
import ipaddress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from devkafka.files import write_private

SHORT: Final = dt.timedelta(days=7)  # longer than any test or demo, useless when found later
EXPIRED: Final = dt.timedelta(hours=-1)  # as the validity of a server certificate: over an hour ago
_BEFORE: Final = dt.timedelta(days=1)  # clocks differ


@dataclass(frozen=True, slots=True)
class Authority:
    """Signs server certificates for loopback addresses."""

    certificate: x509.Certificate
    _key: ec.EllipticCurvePrivateKey = field(repr=False)

    @classmethod
    def create(cls, name: str = "Fieldpost throw-away CA") -> Self:
        key = ec.generate_private_key(ec.SECP256R1())
        public = key.public_key()
        builder = (
            _builder(name, issuer=_name(name), key=public, valid=SHORT)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        )
        return cls(builder.sign(key, hashes.SHA256()), key)

    def write_certificate(self, path: Path) -> None:
        """What clients trust, as PEM."""
        path.write_bytes(_pem(self.certificate))

    def write_server(self, path: Path, valid: dt.timedelta = SHORT) -> None:
        """A new key, its certificate and ours in one PEM file, as Kafka's PEM keystore wants it."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._issue(key.public_key(), valid)
        # PKCS#8 without a password: Kafka does not load the traditional EC form
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        write_private(path, secret + _pem(certificate) + _pem(self.certificate))

    def _issue(self, public: ec.EllipticCurvePublicKey, valid: dt.timedelta) -> x509.Certificate:
        names = x509.SubjectAlternativeName(
            [x509.DNSName("localhost"), x509.IPAddress(ipaddress.IPv4Address("127.0.0.1"))]
        )
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = (
            _builder("localhost", issuer=self.certificate.subject, key=public, valid=valid)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(names, critical=False)
            .add_extension(authority, critical=False)
        )
        return builder.sign(self._key, hashes.SHA256())


def _builder(
    name: str, *, issuer: x509.Name, key: ec.EllipticCurvePublicKey, valid: dt.timedelta
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BEFORE)
        .not_valid_after(now + valid)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
