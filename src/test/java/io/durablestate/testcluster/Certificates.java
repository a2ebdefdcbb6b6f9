package io.durablestate.testcluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/** Keys and self-signed certificates in PKCS12 files, made by the {@code keytool} of the running JDK, and trust in all of them. */
final class Certificates {

    static final String PASSWORD = "changeit";

    static final String BROKER = "localhost";

    private final Path directory;

    private Certificates(Path directory) {
        this.directory = directory;
    }

    /** Makes a key for the brokers, good for 127.0.0.1 and localhost, and one for each owner. */
    static Certificates make(Path directory, List<String> owners) {
        Certificates certificates = new Certificates(directory);
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            certificates.makeKey(BROKER, trusted);
            for (String owner : owners) {
                certificates.makeKey(owner, trusted);
            }
            try (OutputStream out = Files.newOutputStream(certificates.trustStore())) {
                trusted.store(out, PASSWORD.toCharArray());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return certificates;
    }

    Path keyStoreOf(String owner) {
        return directory.resolve(owner + ".p12");
    }

    Path trustStore() {
        return directory.resolve("trusted.p12");
    }

    private void makeKey(String owner, KeyStore trusted) throws IOException, GeneralSecurityException {
        runKeytool(owner);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStoreOf(owner))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        trusted.setCertificateEntry(owner, keys.getCertificate(owner));
    }

    private void runKeytool(String owner) throws IOException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-alias",
                        owner,
                        "-dname",
                        "CN=" + owner,
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keyStoreOf(owner).toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool made no key for " + owner + ": " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while keytool made a key for " + owner, e);
        }
    }
}
